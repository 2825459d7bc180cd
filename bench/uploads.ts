// What sixteen uploads of 15 MiB at once cost the readers of quotes, and the service in
// memory. Each round reads on an idle service first and then beside uploads, at the same
// steady rate, so that both see the machine in the same state.
//   node bench/uploads.ts [rounds] [reads a second]
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { quoteRequest } from '../test/setup/catalogue.ts'
import { startDeployment } from '../test/setup/process.ts'
import { runLoad } from './load.ts'
import { median, round } from './statistics.ts'
import type { Sending } from './upload_sender.ts'

const rounds = Number(process.argv[2] ?? 3)
const perSecond = Number(process.argv[3] ?? 50)
const parallel = 16
const seconds = 8

const dataDir = await mkdtemp(join(tmpdir(), 'bench-uploads-'))
const service = await startDeployment({ DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '0' })
const key = /svc_test_[0-9A-Za-z]{38}/.exec(service.output)?.[0] ?? ''
const headers = { Authorization: `Bearer ${key}` }

const created = await fetch(`${service.api}/public/v1/quotes`, {
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'bench' },
  body: JSON.stringify(quoteRequest()),
})
const { id } = (await created.json()) as { id: string }
const quote = `${service.api}/public/v1/quotes/${id}`

async function residentMiB(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(service.child.pid)])
  return Number(stdout) / 1024
}

/** Waves of uploads until they are stopped, which gives their statuses. */
function startUploads(): () => Promise<number[]> {
  const sending: Sending = { url: `${quote}/documents`, headers, parallel }
  const script = fileURLToPath(new URL('upload_sender.ts', import.meta.url))
  const sender = fork(script, [JSON.stringify(sending)])
  const ended = once(sender, 'message')
  return async () => {
    sender.send('stop')
    const [statuses] = (await ended) as [number[]]
    return statuses
  }
}

const read = async () => {
  const [outcome] = await runLoad([{ url: quote, headers, perSecond, seconds }])
  if (!outcome) throw new Error('no reads')
  return outcome
}

const ratios: number[] = []
const rises: number[] = []
await read()
try {
  for (let index = 0; index < rounds; index += 1) {
    const idle = await read()
    const before = await residentMiB()
    let most = before
    let isOver = false
    const watch = async (): Promise<void> => {
      while (!isOver) {
        most = Math.max(most, await residentMiB())
        await sleep(50)
      }
    }
    const stopUploads = startUploads()
    const watched = watch()
    const beside = await read()
    const statuses = await stopUploads()
    isOver = true
    await watched
    ratios.push(beside.p95 / idle.p95)
    rises.push(most - before)
    console.log(JSON.stringify({
      idle_p95_ms: round(idle.p95),
      beside_p95_ms: round(beside.p95),
      ratio: round(beside.p95 / idle.p95),
      idle_p50_ms: round(idle.p50),
      beside_p50_ms: round(beside.p50),
      reads: beside.statuses,
      uploads: statuses.length,
      refused: statuses.filter((status) => status !== 201).length,
      memory_before_mib: round(before),
      memory_rise_mib: round(most - before),
    }))
  }
  console.log(JSON.stringify({ p95_ratio: round(median(ratios)), memory_rise_mib: round(Math.max(...rises)) }))
} finally {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
}
