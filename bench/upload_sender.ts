// Sends waves of uploads until it is told to stop, then tells their statuses. A process of its
// own that gives way to all others: callers compute on machines of their own, and here they
// would take the processors from what is measured.
import { constants, setPriority } from 'node:os'
import { fifteenMiB, multipart, multipartType, pdfOfSize } from '../test/setup/files.ts'

export type Sending = { url: string; headers: Record<string, string>; parallel: number }

const { url, headers, parallel } = JSON.parse(process.argv[2] ?? '') as Sending
setPriority(constants.priority.PRIORITY_LOW)

const form = new Uint8Array(
  multipart([{ fileName: '"letter.pdf"', type: 'application/pdf', data: pdfOfSize(fifteenMiB) }]),
)
let isOver = false
process.once('message', () => {
  isOver = true
})

async function send(): Promise<number> {
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...multipartType }, body: form })
  await answer.arrayBuffer()
  return answer.status
}

const statuses: number[] = []
while (!isOver) statuses.push(...(await Promise.all(Array.from({ length: parallel }, send))))
process.send?.(statuses)
