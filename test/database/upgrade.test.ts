// A further migration on a database in use, as docs/operations.md wants them: it only adds,
// waits for no lock for long, and the release that is running never notices. Played with a
// migration of this test's own, applied by dbmate while requests of every kind go on.
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { migrationsFolder } from '../../db/compile.ts'
import { dbmate } from '../../src/database/migrate.ts'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createAppraiser, createProducts, quoteRequest } from '../setup/catalogue.ts'

const further = `-- migrate:up

set local statement_timeout = '60s';
set local role svc_owner;

alter table app.quotes add column priority text;
alter table app.quotes add constraint quotes_priority_check
check (priority in ('rush', 'standard')) not valid;
alter table app.organizations add column region text not null default 'unknown';
create table app.regions (
  tenant_id uuid not null references app.tenants (id) on delete cascade,
  code text not null,
  primary key (tenant_id, code)
);
alter table app.regions enable row level security;
alter table app.regions force row level security;

reset role;

-- migrate:down

drop table app.regions;
alter table app.organizations drop column region;
alter table app.quotes drop column priority;
`

let api: TestApi
let folder: string

beforeAll(async () => {
  api = await createApi()
  await createProducts(api.db, api.tenant)
  await createAppraiser(api.db, api.tenant, { covers: [['CA']], fees: [['450', 5]] })
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  await cp(migrationsFolder, folder, { recursive: true })
  await writeFile(join(folder, '20991231000000_further.sql'), further)
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

let serial = 0

/** One request of each kind; gives their statuses. */
async function aRound(): Promise<number[]> {
  const name = `Bank ${(serial += 1)}`
  const answers = await Promise.all([
    api.send('POST', '/quotes', { headers: freshKey(), body: quoteRequest() }),
    api.send('POST', '/organizations', { headers: freshKey(), body: { name, client_type: 'lender' } }),
    api.send('POST', '/leads', { headers: freshKey(), body: { title: 'A', organization: { name, client_type: 'lender' } } }),
    api.send('GET', '/organizations?q=bank'),
    api.send('GET', '/leads'),
    api.send('POST', '/coverage/check', { body: { state: 'CA', county: 'Kern' } }),
  ])
  return answers.map(({ status }) => status)
}

/** Rounds without a pause until some work is done; gives each status that was answered. */
async function statusesDuring(work: Promise<unknown>): Promise<Set<number>> {
  const statuses = new Set<number>()
  let isDone = false
  const hasEnded = (): void => void (isDone = true)
  work.then(hasEnded, hasEnded)
  while (!isDone) for (const status of await aRound()) statuses.add(status)
  return statuses
}

const hasTable = async (): Promise<boolean> => {
  const { rows } = await api.db.owner.query(`select to_regclass('app.regions') is not null as is`)
  return rows[0].is
}

/** Until something asks for a lock that readers of the organizations keep from it. */
async function migrationWaits(expected = true): Promise<void> {
  const { rows } = await api.db.owner.query(
    `select from pg_catalog.pg_locks where relation = 'app.organizations'::regclass and not granted`,
  )
  if (rows.length > 0 !== expected) await sleep(10).then(() => migrationWaits(expected))
}

const addMigration = (name: string, statement: string): Promise<void> =>
  writeFile(join(folder, name), `-- migrate:up\n${statement};\n-- migrate:down\n`)

/** Until it has waited, and waits no more. */
async function migrationGaveUp(): Promise<void> {
  await migrationWaits()
  await migrationWaits(false)
}

describe('a migration that only adds', () => {
  it('is applied while requests go on, and none fails', async () => {
    await aRound()
    const migrating = dbmate(api.db.urls.owner, 'up', folder)
    const statuses = await statusesDuring(migrating)
    expect(await migrating).toEqual(['20991231000000_further.sql'])
    expect([...statuses].filter((status) => status >= 300)).toEqual([])
    expect(await hasTable()).toBe(true)
  })

  it('leaves the running release as it was: writes, reads, and prepared statements', async () => {
    expect((await aRound()).filter((status) => status >= 300)).toEqual([])
    const created = await api.send('POST', '/quotes', { headers: freshKey(), body: quoteRequest() })
    expect((await api.send('GET', `/quotes/${created.body.id}`)).body).toEqual(created.body)
  })

  it('goes back while requests go on, too', async () => {
    const goingBack = dbmate(api.db.urls.owner, 'rollback', folder)
    const statuses = await statusesDuring(goingBack)
    expect(await goingBack).toEqual(['20991231000000_further.sql'])
    expect([...statuses].filter((status) => status >= 300)).toEqual([])
    expect(await hasTable()).toBe(false)
  })

  // The migration has one table and waits for the other, and the request the other way round.
  it('gives up for a request that waits for it, and comes back when the request is done', async () => {
    const request = await api.db.owner.connect()
    try {
      await request.query('begin')
      await request.query('lock table app.organizations in access share mode')
      const migrating = dbmate(api.db.urls.owner, 'up', folder)
      await migrationWaits()
      await request.query('select from app.quotes limit 1')
      await request.query('commit')
      expect(await migrating).toEqual(['20991231000000_further.sql'])
    } finally {
      request.release()
    }
  })

  it('names what it applied before it had to wait', async () => {
    await addMigration('20991231000001_a.sql', 'alter table app.products add column a text')
    await addMigration('20991231000002_b.sql', 'alter table app.organizations add column b text')
    const request = await api.db.owner.connect()
    try {
      await request.query('begin')
      await request.query('lock table app.organizations in access share mode')
      const migrating = dbmate(api.db.urls.owner, 'up', folder)
      await migrationGaveUp()
      await request.query('commit')
      expect(await migrating).toEqual(['20991231000001_a.sql', '20991231000002_b.sql'])
    } finally {
      request.release()
    }
  })

  it('keeps to its time for locks when the address has options of its own', async () => {
    const settings = `current_setting('lock_timeout') as lock, current_setting('work_mem') as work`
    await addMigration('20991231000003_c.sql', `create table app.settings as select ${settings}`)
    const url = new URL(api.db.urls.owner)
    url.searchParams.set('options', '-c work_mem=7MB')
    await dbmate(url.href, 'up', folder)
    const { rows } = await api.db.owner.query('select lock, work from app.settings')
    expect(rows).toEqual([{ lock: '500ms', work: '7MB' }])
  })
})

// An index that was being built concurrently stays behind, invalid, when its lock times out, and
// `if not exists` then takes it for the real one.
describe('a migration without a transaction', () => {
  it('isn\'t among ours, as it could be left half done', async () => {
    const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql'))
    const texts = await Promise.all(names.map((name) => readFile(join(migrationsFolder, name), 'utf8')))
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((_, at) => /^-- migrate:.*transaction:/m.test(texts[at]!))).toEqual([])
  })
})
