// What a request costs must not grow with the tables: none of its statements reads one from
// end to end, however small the tables were when the statement was planned.
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import type pg from 'pg'
import { createAppraiser, createProducts } from '../setup/catalogue.ts'
import {
  type Tenant,
  type TestDatabase,
  createDatabase,
  createTenant,
  digestOf,
} from '../setup/database.ts'
import { contact, lender } from '../setup/organizations.ts'

let db: TestDatabase
let client: pg.PoolClient
let tenant: Tenant
beforeAll(async () => {
  db = await createDatabase()
  for (let index = 0; index < 30; index += 1) tenant = await createTenant(db)
  await createProducts(db, tenant)
  await createAppraiser(db, tenant, { covers: [['CA']], fees: [['450.00', 5, 'URAR', 'CA']] })
  await db.owner.query('analyze')
  client = await db.as('api').connect()
})
afterEach(() => client.query('rollback'))
afterAll(async () => {
  client.release()
  await db.close()
})

const subject = { line1: '1 Main St', state: 'CA', county: 'Los Angeles' }
const quote = { product_code: 'URAR', external_reference: 'Q-1', subject, client: { name: 'Jo', email: 'jo@example.com' } }
const lead = { external_reference: 'L-1', title: 'x' }
const organization = lender({ external_reference: 'R-1', contacts: [contact()] })
const body = (value: unknown): string => `'${JSON.stringify(value)}'::jsonb`
const idempotent = (value: unknown): string => `gen_random_uuid()::text, '', ${body(value)}`

it.each([
  ['create_quote', 'quotes:write', idempotent(quote)],
  ['find_quote', 'quotes:read', "'Q-1'"],
  ['upsert_organization', 'organizations:write', idempotent(organization)],
  ['upsert_organization', 'organizations:write', idempotent({ ...organization, notes: 'x' })],
  ['upsert_organization_batch', 'organizations:write', idempotent({ items: [organization] })],
  ['find_organization', 'organizations:read', "'R-1'"],
  ['list_organizations', 'organizations:read', "'first', null, 20, 0"],
  ['list_organizations', 'organizations:read', "null, 'lender', 20, 0"],
  ['upsert_lead', 'leads:write', idempotent({ ...lead, organization })],
  ['upsert_lead_batch', 'leads:write', idempotent({ items: [{ ...lead, organization_external_reference: 'R-1' }] })],
  ['find_lead', 'leads:read', "'L-1'"],
  ['list_leads', 'leads:read', "'lead', null, 20, 0"],
  ['list_orders', 'orders:read', "'N-1', null, null, 20"],
  ['list_products', 'products:read', ''],
  ['check_coverage', 'fees:read', body(subject)],
  ['preview_fee', 'fees:read', body({ product_code: 'URAR', subject })],
  ['read_identity', null, ''],
])('%s reads no table from end to end', async (name, scope, values) => {
  const call = `api.${name}(auth.enter($1, $2)${values && `, ${values}`})`
  await client.query('begin')
  await client.query(`select reply.status from ${call} as reply`, [digestOf(tenant.key), scope])
  const { rows } = await client.query(
    'select relid::regclass::text as table, seq_scan from pg_stat_xact_user_tables where seq_scan > 0',
  )
  await client.query('commit')
  expect(rows).toEqual([])
})
