// Under load the worker is killed again and again, then the API, then PostgreSQL, each
// with SIGKILL. Every quote that was answered 201 is heard of, and no other.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readCredentials } from '../../src/database/credentials.ts'
import { type EmbeddedServer, openEmbedded } from '../../src/database/embedded.ts'
import { type Deployment, admin, startDeployment } from '../setup/process.ts'
import { quoteRequest } from '../setup/catalogue.ts'
import { type Payload, type Receiver, createReceiver } from '../setup/receiver.ts'
import { expectSoon } from '../setup/webhooks.ts'

let folder: string
let server: EmbeddedServer
let environment: Record<string, string>
let owner: pg.Pool
let partner: Receiver
const heard = new Set<string>()
let api: Deployment
let worker: Deployment
let key: string

const startApi = () => startDeployment(environment, '--only', 'server')
const startWorker = () => startDeployment(environment, '--only', 'worker')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'appraisal-chaos-'))
  const credentials = readCredentials(folder)
  server = await openEmbedded(join(folder, 'postgres'), credentials.owner)
  const url = new URL(server.url)
  url.pathname = '/chaos'
  environment = {
    DATA_DIR: folder,
    DATABASE_URL: url.href,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
  }
  partner = await createReceiver()
  partner.answer(({ body }, response) => {
    heard.add((JSON.parse(body) as Payload).data['id'] as string)
    response.writeHead(204).end()
  })
  const tenant = await admin<{ id: string }>(environment, 'tenant', 'create', '--slug', 'chaos', '--name', 'Chaos')
  key = (await admin(environment, 'key', 'create', '--tenant', 'chaos', '--name', 'k', '--scopes', 'all')).key
  await admin(environment, 'webhook', 'create', '--tenant', 'chaos', '--url', partner.url, '--events', 'all')
  owner = new pg.Pool({ connectionString: url.href, max: 2 })
  owner.on('error', () => {})
  await owner.query(
    `insert into app.products (tenant_id, code, name, is_active) values ($1, 'URAR', 'One', true)`,
    [tenant.id],
  )
  api = await startApi()
  worker = await startWorker()
})
afterAll(async () => {
  await Promise.all([api?.stop(), worker?.stop()])
  await partner?.close()
  await owner?.end()
  await server?.release()
  await rm(folder, { recursive: true, force: true })
})

/** Requests a quote until it is answered; the key makes sure that it is one quote. */
async function createQuote(name: string): Promise<string> {
  for (;;) {
    try {
      const response = await fetch(`${api.api}/public/v1/quotes`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': name,
        },
        body: JSON.stringify(quoteRequest({ external_reference: name })),
        signal: AbortSignal.timeout(10_000),
      })
      if (response.status === 201) return ((await response.json()) as { id: string }).id
    } catch {
      // Nobody there: the API was killed, or its database was.
    }
    await sleep(100)
  }
}

async function killPostgres(): Promise<void> {
  const text = await readFile(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
  process.kill(Number.parseInt(text, 10), 'SIGKILL')
}

it('loses no event, and invents none', async () => {
  let isLoaded = true
  const quotes: string[] = []
  const load = Array.from({ length: 8 }, async (_, loop) => {
    for (let n = 0; isLoaded || quotes.length < 1000; n += 1) {
      quotes.push(await createQuote(`${loop}-${n}`))
      await sleep(20)
    }
  })

  for (let kill = 0; kill < 3; kill += 1) {
    await sleep(2000)
    await worker.stop('SIGKILL')
    worker = await startWorker()
  }
  for (let kill = 0; kill < 2; kill += 1) {
    await sleep(1000)
    await api.stop('SIGKILL')
    api = await startApi()
  }
  await sleep(1000)
  await killPostgres()
  await sleep(3000)
  await worker.stop('SIGKILL')
  worker = await startWorker()
  isLoaded = false
  await Promise.all(load)

  // Within a minute of the last kill.
  await expectSoon(async () => quotes.filter((id) => !heard.has(id)).length, 0, 60_000)

  const { rows } = await owner.query<{ id: string }>('select id from app.quotes')
  expect(new Set(rows.map(({ id }) => id))).toEqual(heard)
  expect(quotes.length).toBeGreaterThanOrEqual(1000)
}, 400_000)
