// How fast webhooks are: from commit to arrival on an idle system, throughput against a
// bare undici loop to the same receiver, what one hanging endpoint costs the others, and
// memory over a long run. Everything real, on this machine, the receiver in a process of
// its own.
//   node bench/webhooks.ts [idle|throughput|isolation|memory] …
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import pino from 'pino'
import { Pool as HttpPool } from 'undici'
import { readConfig } from '../src/config.ts'
import { readCredentials } from '../src/database/credentials.ts'
import { openEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { roleUrls } from '../src/database/open.ts'
import { eventTypes } from '../src/webhooks/events.ts'
import { createEndpoint } from '../src/webhooks/registry.ts'
import { sealingKey } from '../src/webhooks/secret.ts'
import { startWorker } from '../worker/main.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const config = readConfig({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' })
const folder = await mkdtemp(join(tmpdir(), 'bench-webhooks-'))
const credentials = readCredentials(folder)
const server = await openEmbedded(join(folder, 'postgres'), credentials.owner)
const database = new URL(server.url)
database.pathname = '/bench'
await migrate(database.href, credentials)
const urls = roleUrls(database.href, credentials)
const owner = new pg.Pool({ connectionString: urls.owner, max: 8 })
owner.on('error', () => {})

type Arrival = { path: string; id: string; at: number }
const receiver = await startReceiver()

async function startReceiver() {
  const path = fileURLToPath(new URL('webhook_receiver.ts', import.meta.url))
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const [first] = (await once(lines, 'line')) as [string]
  const ask = async (question: string): Promise<unknown> => {
    child.stdin.write(`${question}\n`)
    const [line] = (await once(lines, 'line')) as [string]
    return JSON.parse(line)
  }
  return {
    url: first,
    count: async () => (await ask('count')) as number,
    arrivals: async () => (await ask('arrivals')) as Arrival[],
    reset: () => ask('reset'),
    stop: () => child.kill(),
  }
}

const log = pino({ level: process.env['LOG_LEVEL'] ?? 'error' })
const start = () => startWorker({ url: urls.worker, config, credentials, log })

async function createTenant(): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into app.tenants (slug, name)
    select 'bench-' || count(*), 'Bench' from app.tenants returning id`,
  )
  return rows[0]?.id ?? ''
}

async function register(tenantId: string, path: string): Promise<string> {
  const key = sealingKey(config, credentials)
  const url = `${receiver.url}/${path}`
  return (await createEndpoint(owner, { tenantId, url, events: eventTypes, key })).id
}

/** Transactions of one event each, as the API's are. */
async function emit(tenantId: string, transactions: number): Promise<void> {
  await owner.query({
    name: 'emit',
    text: `with event as (
      insert into outbox.events (tenant_id, batch_id, type, data)
      select $1, uuidv7(), 'quote.created',
        jsonb_build_object('id', uuidv7(), 'external_reference', 'LOS-1', 'action', 'created')
      from generate_series(1, $2)
      returning batch_id
    )
    select outbox.add_fan_out_job(batch_id) from event`,
    values: [tenantId, transactions],
  })
}

async function untilArrived(count: number): Promise<void> {
  while ((await receiver.count()) < count) await sleep(20)
}

const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

const epoch = (): number => performance.timeOrigin + performance.now()

async function idle(): Promise<void> {
  const tenantId = await createTenant()
  await register(tenantId, 'idle')
  const worker = await start()
  const delays: number[] = []
  for (let n = 0; n < 100; n += 1) {
    await sleep(50)
    await receiver.reset()
    await emit(tenantId, 1)
    const committed = epoch()
    await untilArrived(1)
    delays.push((await receiver.arrivals())[0]!.at - committed)
  }
  await worker.stop()
  report('idle', {
    'commit to arrival, median ms': percentile(delays, 0.5),
    'commit to arrival, p95 ms': percentile(delays, 0.95),
  })
}

async function bare(count: number, concurrency: number): Promise<number> {
  const http = new HttpPool(receiver.url, { connections: concurrency })
  const body = JSON.stringify({
    type: 'quote.created',
    timestamp: new Date().toISOString(),
    data: { id: '01993c4e-3f0a-7c63-9d3c-0a4d1b7be111', action: 'created', external_reference: 'LOS-1' },
  })
  const started = performance.now()
  let left = count
  const loop = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const response = await http.request({
        path: '/bare',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  const rate = (count / (performance.now() - started)) * 1000
  await http.close()
  return rate
}

async function throughput(): Promise<void> {
  const count = 20_000
  for (const endpoints of [1, 20]) {
    await receiver.reset()
    const undici = await bare(count, 32)
    const tenants = await Promise.all(Array.from({ length: endpoints }, createTenantWithEndpoint))
    for (const tenantId of tenants) await emit(tenantId, count / endpoints)
    await receiver.reset()
    const started = performance.now()
    const worker = await start()
    await untilArrived(count)
    const rate = (count / (performance.now() - started)) * 1000
    await worker.stop()
    report(`throughput, ${endpoints} endpoints`, {
      'bare undici, requests/s': undici,
      'webhooks, deliveries/s': rate,
      ratio: rate / undici,
    })
  }
}

const serial = { next: 0 }
async function createTenantWithEndpoint(): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into app.tenants (slug, name) values ($1, 'Bench') returning id`,
    [`own-${(serial.next += 1)}`],
  )
  const id = rows[0]?.id ?? ''
  await register(id, `own-${serial.next}`)
  return id
}

async function isolation(): Promise<void> {
  const healthy = await Promise.all(Array.from({ length: 20 }, createTenantWithEndpoint))
  const worker = await start()
  await round(healthy, 2)
  const without = await round(healthy, 15)
  const tenantId = await createTenant()
  await register(tenantId, 'hang')
  await emit(tenantId, 1000)
  await sleep(500)
  const withHanging = await round(healthy, 15)
  await worker.stop()
  report('isolation', {
    'healthy p95 without, ms': without,
    'healthy p95 beside a hanging endpoint, ms': withHanging,
    ratio: withHanging / without,
  })
}

/** p95 from commit to arrival over some seconds, 100 events a second on 20 endpoints. */
async function round(tenants: string[], seconds: number): Promise<number> {
  await receiver.reset()
  const committed: number[] = []
  const started = performance.now()
  for (let n = 0; n < seconds * 100; n += 1) {
    await sleep(Math.max(0, started + n * 10 - performance.now()))
    await emit(tenants[n % tenants.length] ?? '', 1)
    committed.push(epoch())
  }
  while ((await receiver.arrivals()).filter(({ path }) => path !== '/hang').length < committed.length) {
    await sleep(20)
  }
  const { rows } = await owner.query<{ id: string; at: number }>(
    `select id, extract(epoch from created_at)::float8 * 1000 as at from outbox.events
    order by created_at desc limit $1`,
    [committed.length + 1000],
  )
  const times = new Map(rows.map(({ id, at }) => [id, at]))
  const delays = (await receiver.arrivals())
    .filter(({ path }) => path !== '/hang')
    .map(({ id, at }) => at - (times.get(id) ?? Number.NaN))
  return percentile(delays, 0.95)
}

async function memory(): Promise<void> {
  const tenantId = await createTenant()
  await register(tenantId, 'memory')
  const worker = await start()
  const samples: number[] = []
  await receiver.reset()
  for (let n = 1; n <= 10; n += 1) {
    await emit(tenantId, 10_000)
    await untilArrived(n * 10_000)
    await sleep(500)
    collectGarbage()
    samples.push(Math.round(process.memoryUsage().heapUsed / 1024 / 102.4) / 10)
  }
  await worker.stop()
  report('memory', { 'heap MB after each 10,000 deliveries': samples.join(' ') })
}

function report(name: string, figures: Record<string, number | string>): void {
  console.log(name)
  for (const [label, figure] of Object.entries(figures)) {
    const text = typeof figure === 'number' ? figure.toFixed(2) : figure
    console.log(`  ${label.padEnd(45)} ${text}`)
  }
}

const parts = { idle, throughput, isolation, memory }
const chosen = process.argv.slice(2)
try {
  for (const [name, run] of Object.entries(parts)) {
    if (chosen.length === 0 || chosen.includes(name)) await run()
  }
} finally {
  receiver.stop()
  await owner.end()
  await server.release()
  await rm(folder, { recursive: true, force: true })
}
