// The recipe of docs/operations.md, played: archive, back up under load, lose the data,
// restore the moment before into a new folder, audit it, and serve from it.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { quoteRequest } from '../setup/catalogue.ts'
import { type Deployment, admin, startDeployment } from '../setup/process.ts'

const run = promisify(execFile)

let folder: string
let deployment: Deployment
let key: string
let webhookSecret: string

const dataDir = (name: string): Record<string, string> => ({
  DATA_DIR: join(folder, name),
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'appraisal-restore-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'archive'))
  // The server's user writes here, whoever that is on this machine.
  await chmod(join(folder, 'archive'), 0o777)
})
afterAll(async () => {
  if (deployment?.child.exitCode === null) await deployment.stop()
  await rm(folder, { recursive: true, force: true })
})

async function onServer<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { owner } = await admin<{ owner: string }>(dataDir(name), 'database-url')
  const client = new pg.Client({ connectionString: owner })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const response = await fetch(`${deployment.api}/public/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

const quote = (reference: string) => call('POST', '/quotes', quoteRequest({ external_reference: reference }))
const isThere = async (reference: string): Promise<boolean> =>
  (await call('GET', `/quotes?external_reference=${reference}`)).status === 200

describe('a deployment that archives', () => {
  it('is backed up while it takes quotes', async () => {
    deployment = await startDeployment(dataDir('first'))
    await onServer('first', async (client) => {
      const command = `test ! -f "${folder}/archive/%f" && cp "%p" "${folder}/archive/%f"`
      await client.query(`alter system set archive_mode = 'on'`)
      await client.query(`alter system set archive_command = ${client.escapeLiteral(command)}`)
    })
    await deployment.stop()
    deployment = await startDeployment(dataDir('first'))
    key = (await admin(dataDir('first'), 'key', 'create', '--tenant', 'demo', '--name', 'ci', '--scopes', 'all')).key
    const url = 'http://127.0.0.1:9/hook'
    webhookSecret = (await admin(dataDir('first'), 'webhook', 'create', '--tenant', 'demo', '--url', url, '--events', 'all')).id
    expect((await quote('before')).status).toBe(201)

    const { owner } = await admin<{ owner: string }>(dataDir('first'), 'database-url')
    const backup = run(process.execPath, ['scripts/back_up.ts', owner, join(folder, 'backup')])
    expect((await quote('during')).status).toBe(201)
    expect((await backup).stdout).toContain('backed up to')
    expect((await quote('after')).status).toBe(201)
  })

  it('loses everything, later', async () => {
    await onServer('first', async (client) => {
      await client.query(`select pg_create_restore_point('before_the_accident')`)
      await client.query('truncate app.quotes cascade')
      await client.query('select pg_switch_wal()')
    })
    expect(await isThere('before')).toBe(false)
    expect(await deployment.stop()).toBe(0)
  })
})

describe('the restored deployment', () => {
  it('replays up to the moment that was named', async () => {
    await mkdir(join(folder, 'second', 'postgres'), { recursive: true })
    await copyFile(join(folder, 'first', 'credentials.json'), join(folder, 'second', 'credentials.json'))
    const cluster = join(folder, 'second', 'postgres', 'cluster')
    await run(process.execPath, [
      'scripts/restore.ts', join(folder, 'backup'), join(folder, 'archive'), cluster,
      '--name', 'before_the_accident',
    ])
    deployment = await startDeployment(dataDir('second'))
    expect(await Promise.all(['before', 'during', 'after'].map(isThere))).toEqual([true, true, true])
  })

  it('passes the audit', async () => {
    expect((await admin(dataDir('second'), 'audit')).findings).toEqual([])
  })

  it('takes quotes, makes events of them and still signs', async () => {
    const created = await quote('again')
    expect(created.status).toBe(201)
    expect(await isThere('again')).toBe(true)
    const deliveries = async () =>
      (await admin(dataDir('second'), 'webhook', 'deliveries', webhookSecret)) as { record_id: string; attempts: number }[]
    const wasTried = async () =>
      (await deliveries()).some(({ record_id, attempts }) => record_id === created.body.id && attempts > 0)
    while (!(await wasTried())) await sleep(100)
    expect(await wasTried()).toBe(true)
  })
})
