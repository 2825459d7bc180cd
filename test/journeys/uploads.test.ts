// Uploads from outside, to the service as it runs: a letter on its way from a partner to
// the office, and many large files at once.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { quoteRequest } from '../setup/catalogue.ts'
import { fifteenMiB, multipart, multipartType, pdf, pdfOfSize } from '../setup/files.ts'
import { type Deployment, admin, startDeployment } from '../setup/process.ts'

let dataDir: string
let deployment: Deployment
let key: string
let quoteId: string
const environment = () => ({ DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '0' })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'appraisal-uploads-'))
  deployment = await startDeployment(environment())
  key = /svc_test_[0-9A-Za-z]{38}/.exec(deployment.output)?.[0] ?? ''
  const created = await call('POST', '/quotes', JSON.stringify(quoteRequest()), {
    'Content-Type': 'application/json',
    'Idempotency-Key': 'uploads',
  })
  quoteId = ((await created.json()) as { id: string }).id
})
afterAll(async () => {
  await deployment.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const call = (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${deployment.api}/public/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...headers },
    ...(body === undefined ? {} : { body }),
  })

const send = (data: Buffer) =>
  call(
    'POST',
    `/quotes/${quoteId}/documents`,
    new Uint8Array(multipart([{ fileName: '"letter.pdf"', type: 'application/pdf', data }])),
    multipartType,
  )

describe('a letter', () => {
  it('goes from the partner to the office', async () => {
    const answer = await send(pdf())
    expect(answer.status).toBe(201)
    const { id } = (await answer.json()) as { id: string }

    const quote = await admin(environment(), 'quote', 'show', quoteId)
    expect(quote.documents).toMatchObject([{ id, file_name: 'letter.pdf' }])
    const out = join(dataDir, 'letter.pdf')
    await admin(environment(), 'document', 'fetch', id, '--out', out)
    expect(await readFile(out)).toEqual(pdf())
  })

  it('can be taken, says the internal listener', async () => {
    const ready = await fetch(`${deployment.internal}/readyz`)
    expect({ status: ready.status, body: await ready.json() }).toEqual({
      status: 200,
      body: { status: 'ok', documents: 'ok' },
    })
  })
})

async function residentMiB(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(deployment.child.pid)])
  return Number(stdout) / 1024
}

describe('sixteen files of 15 MiB at once', () => {
  it('are attached in less than 400 MiB of memory, while quotes are read', async () => {
    const data = pdfOfSize(fifteenMiB)
    const before = await residentMiB()
    let most = before
    let reads = 0
    let isDone = false
    const watch = async (): Promise<void> => {
      while (!isDone) {
        most = Math.max(most, await residentMiB())
        await sleep(20)
      }
    }
    const read = async (): Promise<void> => {
      while (!isDone) {
        expect((await call('GET', `/quotes/${quoteId}`)).status).toBe(200)
        reads += 1
      }
    }
    const both = Promise.all([watch(), read()])
    const answers = await Promise.all(Array.from({ length: 16 }, () => send(data)))
    isDone = true
    await both

    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(201))
    expect(most - before).toBeLessThan(400)
    expect(reads).toBeGreaterThan(50)
  })
})
