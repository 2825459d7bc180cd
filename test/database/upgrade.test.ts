// A further migration on a database in use, as docs/operations.md wants them: it only adds,
// waits for no lock for long, and the release that is running never notices. Played with a
// migration of this test's own, applied by dbmate while requests of every kind go on.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
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
async function migrationWaits(): Promise<void> {
  const { rows } = await api.db.owner.query(
    `select from pg_catalog.pg_locks where relation = 'app.organizations'::regclass and not granted`,
  )
  if (rows.length === 0) await sleep(10).then(migrationWaits)
}

describe('a migration that only adds', () => {
  it('is applied while requests go on, and none fails', async () => {
    await aRound()
    const migrating = dbmate(api.db.urls.owner, 'up', folder)
    const statuses = await statusesDuring(migrating)
    expect(await migrating).toContain('Applied: 20991231000000_further.sql')
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
    expect(await goingBack).toContain('Rolled back: 20991231000000_further.sql')
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
      expect(await migrating).toContain('Applied: 20991231000000_further.sql')
    } finally {
      request.release()
    }
  })
})
