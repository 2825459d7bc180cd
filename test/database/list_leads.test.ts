// A page of leads costs what it shows, not what the tenant has: each filter finds an index
// under the policy that ends in the order of the list, also when the statement was sent so
// often that the server might reuse a plan.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type pg from 'pg'
import {
  type Tenant,
  type TestDatabase,
  createDatabase,
  createTenant,
  digestOf,
} from '../setup/database.ts'

const leads = 30_000

let db: TestDatabase
let tenant: Tenant
/** The organization of the oldest few leads, which are won; all others are of another. */
let rare: string
let common: string
let client: pg.PoolClient
beforeAll(async () => {
  db = await createDatabase()
  tenant = await createTenant(db)
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into app.organizations (tenant_id, name, client_type)
    values ($1, 'Rare', 'lender'), ($1, 'Common', 'lender') returning id`,
    [tenant.id],
  )
  rare = rows[0]?.id ?? ''
  common = rows[1]?.id ?? ''
  await db.owner.query(
    `insert into app.leads (tenant_id, organization_id, title, stage, created_at)
    select
      $1,
      case when number <= 5 then $2::uuid else $3::uuid end,
      rpad('Lead ' || number, 200, '.'),
      case when number <= 5 then 'won' else 'lead' end,
      '2026-01-01'::timestamptz + number * interval '1 second'
    from generate_series(1, $4::integer) as number`,
    [tenant.id, rare, common, leads],
  )
  await db.owner.query('vacuum analyze app.leads')
  client = await db.as('api').connect()
})
afterAll(async () => {
  client.release()
  await db.close()
})

/** Pages of 8 kB that a list touches, once its plans have settled. */
async function pages(stage: string | null, organizationId: string | null): Promise<number> {
  let touched = 0
  for (let run = 0; run < 12; run += 1) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
      name: 'list',
      text: `explain (analyze, buffers, format json)
        select * from api.list_leads(auth.enter($1, 'leads:read'), $2, $3, 50, 0)`,
      values: [digestOf(tenant.key), stage, organizationId],
    })
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
    touched = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  }
  return touched
}

it.each<[string, () => [string | null, string | null]]>([
  ['without a filter', () => [null, null]],
  ['of a frequent stage', () => ['lead', null]],
  ['of a rare stage', () => ['won', null]],
  ['of a stage that no lead has', () => ['lost', null]],
  ['of a rare organization', () => [null, rare]],
  ['of a frequent organization', () => [null, common]],
  ['of a rare organization and stage', () => ['won', rare]],
])('a page %s touches no more than it shows', async (_, filters) => {
  const { rows } = await db.owner.query<{ pages: number }>(
    `select (pg_relation_size('app.leads') / 8192)::integer as pages`,
  )
  expect(rows[0]?.pages).toBeGreaterThan(1000)
  // Four pages for each of 50 leads: its own, its organization's, and the policy's key.
  expect(await pages(...filters())).toBeLessThan(300)
})
