// How a process starts when its database isn't what it should be, and how it stops.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'
import { tapWire } from '../setup/wire_tap.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let db: TestDatabase
let tenant: Tenant
let folder: string
const started: ChildProcess[] = []

beforeAll(async () => {
  db = await createDatabase()
  tenant = await createTenant(db)
  await createProducts(db, tenant)
  folder = await mkdtemp(join(tmpdir(), 'appraisal-start-'))
  await writeFile(join(folder, 'credentials.json'), JSON.stringify(db.credentials), { mode: 0o600 })
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

type Process = {
  api: string
  internal: string
  child: ChildProcess
  output(): string
  exit: Promise<number | null>
}

/** Starts the API alone, and doesn't wait. */
async function start(environment: Record<string, string>): Promise<Process> {
  const [port, internalPort] = [await freePort(), await freePort()]
  const { DATABASE_URL: _none, TEST_DATABASE: _shared, ...rest } = process.env
  const child = spawn(process.execPath, ['src/main.ts', '--only', 'server'], {
    cwd: root,
    env: {
      ...rest,
      DATA_DIR: folder,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    },
  })
  started.push(child)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    api: `http://127.0.0.1:${port}/public/v1`,
    internal: `http://127.0.0.1:${internalPort}`,
    child,
    output: () => output,
    exit: once(child, 'exit').then(([code]) => code as number | null),
  }
}

const authorization = (): Record<string, string> => ({ Authorization: `Bearer ${tenant.key}` })

/** The first answer; nobody may be listening yet. */
async function fetchSoon(url: string): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url, { headers: authorization() })
    } catch {
      await sleep(50)
    }
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50)
}

const readiness = async ({ internal }: Process): Promise<number> => (await fetchSoon(`${internal}/readyz`)).status

describe('a start', () => {
  it('waits for a database that is away, answers 503 meanwhile, and goes on by itself', async () => {
    const port = await freePort()
    const away = new URL(db.urls.api)
    away.port = String(port)
    const process = await start({ API_DATABASE_URL: away.href })

    const answer = await fetchSoon(`${process.api}/products`)
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.json()).toEqual({
      code: 'service_unavailable',
      message: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
    })
    expect(await readiness(process)).toBe(503)
    expect((await fetch(`${process.api}/health`)).status).toBe(200)
    await until(async () => process.output().includes('waiting for the database'))

    const tap = await tapWire(db.urls.api, port)
    await until(async () => (await readiness(process)) === 200)
    expect((await fetchSoon(`${process.api}/products`)).status).toBe(200)
    process.child.kill('SIGTERM')
    expect(await process.exit).toBe(0)
    await tap.close()
  })

  it('refuses a database that nobody migrated, in one line', async () => {
    const url = new URL(db.urls.api)
    url.pathname = '/postgres'
    const process = await start({ API_DATABASE_URL: url.href, LOG_LEVEL: 'fatal' })
    expect(await process.exit).toBe(1)
    expect(process.output()).toMatch(/^Can't start: .*npm run migrate.*\n$/)
  })

  it('refuses a database that a later release has changed for good, in one line', async () => {
    const other = await createDatabase()
    await other.owner.query(
      `create or replace function reference.compatible_from() returns text language sql
      immutable set search_path = '' as $$ select '29990101000000' $$`,
    )
    for (const variable of ['DATABASE_URL', 'API_DATABASE_URL']) {
      const url = variable === 'DATABASE_URL' ? other.urls.owner : other.urls.api
      const process = await start({ [variable]: url, LOG_LEVEL: 'fatal' })
      expect(await process.exit).toBe(1)
      expect(process.output()).toMatch(/^Can't start: .*newer.*29990101000000.*\n$/)
    }
    await other.close()
  })

  it('refuses a login that the database refuses, in one line', async () => {
    const url = new URL(db.urls.api)
    url.password = 'wrong'
    const process = await start({ API_DATABASE_URL: url.href, LOG_LEVEL: 'fatal' })
    expect(await process.exit).toBe(1)
    expect(process.output()).toMatch(/^Can't start: .*login.*\n$/)
  })
})

describe('a stop', () => {
  let process: Process
  const agent = new Agent({ keepAlive: true })

  const send = (path: string, body?: unknown): Promise<{ status: number; connection: string | undefined }> =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${process.api}${path}`,
        {
          agent,
          method: body === undefined ? 'GET' : 'POST',
          headers: { ...authorization(), 'Content-Type': 'application/json', 'Idempotency-Key': `stop-${Math.random()}` },
        },
        (response) => {
          response.resume().once('end', () =>
            resolve({ status: response.statusCode ?? 0, connection: response.headers.connection }),
          )
        },
      )
      sent.once('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })

  it('says so, serves on with each answer the last of its connection, finishes what runs, and ends', async () => {
    process = await start({ API_DATABASE_URL: db.urls.api, SHUTDOWN_DELAY_SECONDS: '2' })
    await until(async () => (await readiness(process)) === 200)
    expect(await send('/products')).toEqual({ status: 200, connection: 'keep-alive' })

    // A request that waits for a lock until after the process was told to stop.
    const holder = await db.owner.connect()
    await holder.query('begin; lock table app.quotes in access exclusive mode')
    const running = send('/quotes', quoteRequest())
    await until(async () => {
      const { rows } = await db.owner.query(
        `select from pg_locks where not granted and relation = 'app.quotes'::regclass
        and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows.length > 0
    })
    process.child.kill('SIGTERM')
    process.child.kill('SIGTERM')
    await until(async () => (await readiness(process)) === 503)
    expect(await send('/products')).toEqual({ status: 200, connection: 'close' })
    await until(() => send('/products').then(() => false, () => true))
    await holder.query('commit')
    holder.release()
    expect(await running).toEqual({ status: 201, connection: 'close' })
    expect(await process.exit).toBe(0)
    agent.destroy()
  })
})
