// What a directory costs as it grows: 1,000 organizations of one tenant against
// 1,000,000 of one among a thousand tenants. Calls go to the database's functions as the
// API sends them, without HTTP, so that the server's share shows undiluted.
// `node bench/directory_scale.ts [rows of the large tenant]`; about five minutes.
import { parseArgs } from 'node:util'
import { type Caller, type Statement, createCaller } from '../src/database/pool.ts'
import { isTraced, statementOf } from '../src/http/endpoint.ts'
import { organizationEndpoints } from '../src/api/organizations.ts'
import {
  type Tenant,
  type TestDatabase,
  createDatabase,
  createTenant,
  digestOf,
} from '../test/setup/database.ts'
import { amc, contact } from '../test/setup/organizations.ts'
import { startServer, time, timings } from './server.ts'
import { median, percentile, round } from './statistics.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const largeRows = Number(positionals[0] ?? 1_000_000)
const otherTenants = 999

type Site = { db: TestDatabase; tenant: Tenant; caller: Caller; rows: number; ids: string[] }

const syllables =
  '{ba,ke,lo,mi,nu,ra,se,ti,wo,gra,ston,field,ham,ver,dell,port,har,mont,ley,quin,zan,xer,jo}'
const kinds =
  '{Mortgage,Bank,Lending,Home Loans,Appraisal,Credit Union,Financial,Valuation,Capital,First National}'
const forms = '{LLC,Inc,Corp,Group,Co,of Texas,& Sons,Partners,N.A.,Services}'

/** Names as a directory has them: two to four syllables, a trade, a form and a number. */
const nameOf = `
  (select string_agg(($2::text[])[1 + floor(random() * 23)::integer], '')
    from generate_series(1, 2 + (number % 3)))
  || ' ' || ($3::text[])[1 + floor(random() * 10)::integer]
  || ' ' || ($4::text[])[1 + floor(random() * 10)::integer]
  || ' ' || number`

async function fill(db: TestDatabase, tenantIds: string[], rows: number): Promise<void> {
  await db.owner.query(
    `insert into app.organizations (
      tenant_id, external_reference, name, client_type, phone, email, website,
      address_line1, city, state, postal_code, account_number
    )
    select
      tenant_id, 'R-' || number, ${nameOf},
      ('{lender,lender,amc,private_party,other}'::text[])[1 + number % 5],
      '(626) 555-0140', 'office' || number || '@bank.example', 'https://bank.example/' || number,
      number || ' Main St', 'Pasadena', 'CA', '91101', 'AC-' || number
    from unnest($1::uuid[]) as tenant_id, generate_series(1, $5::integer) as number`,
    [tenantIds, syllables, kinds, forms, rows],
  )
  await db.owner.query(
    `insert into app.contacts (
      tenant_id, organization_id, external_reference, display_name, email, contact_type
    )
    select tenant_id, id, 'P-1', 'Ann Lee', 'ann@bank.example', 'billing'
    from app.organizations where tenant_id = any($1)`,
    [tenantIds],
  )
}

async function site(rows: number, others: number): Promise<Site> {
  const db = await createDatabase()
  const tenant = await createTenant(db)
  const { rows: tenants } = await db.owner.query<{ id: string }>(
    `insert into app.tenants (slug, name)
    select 'other-' || number, 'Other' from generate_series(1, $1::integer) as number
    returning id`,
    [others],
  )
  const { rows: indexes } = await db.owner.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes where indexname = 'organizations_search_idx'`,
  )
  await db.owner.query('drop index app.organizations_search_idx')
  await fill(db, [tenant.id], rows)
  if (others > 0) await fill(db, tenants.map(({ id }) => id), 1000)
  await db.owner.query(indexes[0]?.definition ?? '')
  await db.owner.query('vacuum analyze app.organizations')
  await db.owner.query('vacuum analyze app.contacts')
  const { rows: sample } = await db.owner.query<{ id: string }>(
    `select id from app.organizations where tenant_id = $1 order by random() limit 1000`,
    [tenant.id],
  )
  const ids = sample.map(({ id }) => id)
  return { db, tenant, rows, ids, caller: createCaller(db.urls.api, { max: 1 }) }
}

let serial = 0

type Call = [operation: string, values: unknown[]]

/** The statement of a call and its values, as the API sends them. */
function prepare(at: Site, [operation, values]: Call): [Statement, unknown[]] {
  const endpoint = organizationEndpoints.find((one) => one.operation === operation)
  if (!endpoint) throw new Error(`there is no operation ${operation}`)
  const idempotency = [`bench-${(serial += 1)}`, Buffer.alloc(32)]
  return [
    statementOf(endpoint),
    [
      digestOf(at.tenant.key),
      endpoint.scope,
      ...(isTraced(endpoint) ? [null] : []),
      ...(endpoint.isIdempotent ? idempotency : []),
      ...values,
    ],
  ]
}

const call = (at: Site, made: Call): Promise<unknown> => at.caller.call(...prepare(at, made))

/** Pages that a call touches in the server's memory, all of its functions' included. */
async function pages(at: Site, made: Call): Promise<number> {
  const [statement, values] = prepare(at, made)
  const { rows } = await at.db.as('api').query<{ 'QUERY PLAN': [Explained] }>(
    `explain (analyze, buffers, format json) ${statement.text}`,
    values,
  )
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
}

type Explained = { Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }

const anyRow = (at: Site): number => 1 + Math.floor(Math.random() * at.rows)

const known = (at: Site) => {
  const number = anyRow(at)
  return JSON.stringify(
    amc({ external_reference: `R-${number}`, name: `Known ${number}`, account_number: `AC-${number}` }),
  )
}

const fresh = () =>
  JSON.stringify(amc({ name: `New ${(serial += 1)}`, contacts: [contact()] }))

const operations: Record<string, (at: Site, index: number) => Call> = {
  read: (at, index) => ['read_organization', [at.ids[index % at.ids.length]]],
  'by reference': (at) => ['find_organization', [`R-${anyRow(at)}`]],
  'upsert, updating': (at) => ['upsert_organization', [known(at)]],
  'upsert, creating': () => ['upsert_organization', [fresh()]],
  'list, first page': () => ['list_organizations', [null, null, 50, 0]],
  'list, offset 900': () => ['list_organizations', [null, null, 50, 900]],
}

const runs = 1000
const warmUp = 100

/** Both sites' medians, their calls in turn, so that a busy machine is busy for both. */
async function compare(make: (at: Site, index: number) => Call, sites: Site[]) {
  const costs = sites.map((at) => ({ at, ms: [] as number[], pages: [] as number[] }))
  for (let index = 0; index < warmUp + runs; index += 1) {
    for (const cost of costs) {
      const ms = await time(() => call(cost.at, make(cost.at, index)))
      if (index >= warmUp) cost.ms.push(ms)
      if (index % 20 === 0) cost.pages.push(await pages(cost.at, make(cost.at, index)))
    }
  }
  return costs.map((cost) => ({ ms: median(cost.ms), pages: median(cost.pages) }))
}

const searches: [string, (string | null)[]][] = [
  ['one letter', ['a', 'z', 'q', '&', '7']],
  ['two letters', ['ba', 'xe', 'zz', 'n.', '% ']],
  ['frequent', ['bank', 'credit union', 'quin', 'of texas']],
  ['rare', ['harmontdell', 'zanxer', 'quinquin bank', 'verdell capital & sons']],
  ['a number', ['12345', '999', 'llc 7777']],
  ['nowhere', ['nowhere', 'zzzz', '銀行', 'a & b', '%%']],
]

async function searchCosts(at: Site) {
  const table: Record<string, unknown>[] = []
  const everything: number[] = []
  for (const [kind, texts] of searches) {
    for (const [where, offset] of [['first page', 0], ['offset 5000', 5000]] as const) {
      const runs = await timings(texts.length * 8, (index) =>
        call(at, ['list_organizations', [texts[index % texts.length], null, 50, offset]]),
      )
      everything.push(...runs)
      table.push({
        kind,
        where,
        median: round(percentile(runs, 0.5)),
        p95: round(percentile(runs, 0.95)),
        max: round(runs.at(-1) ?? 0),
      })
    }
  }
  const sorted = everything.toSorted((a, b) => a - b)
  table.push({
    kind: 'all',
    median: round(percentile(sorted, 0.5)),
    p95: round(percentile(sorted, 0.95)),
    max: round(sorted.at(-1) ?? 0),
  })
  return table
}

const stop = await startServer()
try {
  const small = await site(1000, 0)
  const large = await site(largeRows, otherTenants)
  const table: Record<string, unknown>[] = []
  for (const [operation, make] of Object.entries(operations)) {
    const [few, many] = await compare(make, [small, large])
    if (!few || !many) throw new Error('two sites, two costs')
    table.push({
      operation,
      [`ms, ${small.rows} rows`]: round(few.ms),
      [`ms, ${large.rows} rows`]: round(many.ms),
      ratio: round(many.ms / few.ms),
      [`pages, ${small.rows} rows`]: few.pages,
      [`pages, ${large.rows} rows`]: many.pages,
    })
  }
  console.log('medians per call')
  console.table(table)
  console.log(`search among ${large.rows} rows, ms`)
  console.table(await searchCosts(large))
  for (const { caller, db } of [small, large]) {
    await caller.close()
    await db.close()
  }
} finally {
  await stop()
}
