// What operations cost as a database grows: single statements, one after another, on a
// database of so many tenants and rows. Run it for several sizes and compare.
//   node bench/scale.ts --tenants 10 --rows 1000       rows of each tenant
//   node bench/scale.ts --tenants 1000 --rows 10000 --requests 10000000
// `--requests` fills the idempotency and outbox tables as so many requests leave them.
// Rows are quotes and organizations by halves. Prints milliseconds and sizes, and writes
// them as JSON to `--out FILE`.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { createProducts } from '../test/setup/catalogue.ts'
import { type Tenant, createDatabase, createTenant, digestOf } from '../test/setup/database.ts'
import { fill } from './seed.ts'
import { percentile, round, startServer, time, timings } from './server.ts'

const { values: flags } = parseArgs({
  options: {
    tenants: { type: 'string', default: '10' },
    rows: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '0' },
    runs: { type: 'string', default: '300' },
    out: { type: 'string' },
  },
})
const [tenantCount, rowCount, requestCount, runs] = [
  flags.tenants, flags.rows, flags.requests, flags.runs,
].map(Number) as [number, number, number, number]

const chunk = 100_000

/** What so many idempotent requests leave behind, spread over the tenants. */
async function fillTraces(owner: pg.Pool, tenants: Tenant[]): Promise<void> {
  for (let first = 1; first <= requestCount; first += chunk) {
    const last = Math.min(requestCount, first + chunk - 1)
    const ids = tenants.map(({ id }) => id)
    await owner.query(
      `insert into app.idempotency_keys (tenant_id, key, fingerprint, status, body)
      select ($1::uuid[])[1 + n % $2], 'k-' || n, sha256(n::text::bytea), 201, repeat('x', 300)
      from generate_series($3::integer, $4::integer) as n`,
      [ids, ids.length, first, last],
    )
    await owner.query(
      `insert into outbox.events (tenant_id, batch_id, type, data)
      select
        ($1::uuid[])[1 + n % $2], uuidv7(), 'quote.created',
        jsonb_build_object('id', uuidv7(), 'external_reference', 'R-' || n, 'action', 'created')
      from generate_series($3::integer, $4::integer) as n`,
      [ids, ids.length, first, last],
    )
  }
}

type Probe = { name: string; text: string; values: (index: number, tenant: Tenant) => unknown[] }

const call = (name: string, placeholders: string): string =>
  `select reply.status from ${name}(auth.enter($1, $2), ${placeholders}) as reply`

const pick = (index: number): number => 1 + ((index * 7919) % (rowCount / 2))

const searches = ['summit first', '00', 'lend', 'nobody', '4711', 'zz']

const upsertOf = (index: number): string =>
  JSON.stringify({ external_reference: `O-${pick(index)}`, client_type: 'lender', amc_license_number: `L-${index}` })

const probes: Probe[] = [
  {
    name: 'look up a quote',
    text: call('api.find_quote', '$3'),
    values: (index) => ['quotes:read', `R-${pick(index)}`],
  },
  {
    name: 'look up an organization',
    text: call('api.find_organization', '$3'),
    values: (index) => ['organizations:read', `O-${pick(index)}`],
  },
  {
    name: 'upsert an organization',
    text: call('api.upsert_organization', '$3, $4, $5'),
    values: (index) => ['organizations:write', `scale-${index}`, Buffer.alloc(32), upsertOf(index)],
  },
  {
    name: 'search with q',
    text: call('api.list_organizations', '$3, null, 20, 0'),
    values: (index) => ['organizations:read', searches[index % searches.length]],
  },
]

async function probe(api: pg.Pool, tenants: Tenant[], { name, text, values }: Probe) {
  const run = (index: number) => {
    const tenant = tenants[(index * 31) % tenants.length]!
    return api.query({ name, text, values: [digestOf(tenant.key), ...values(index, tenant)] })
  }
  await timings(20, (index) => run(1_000_000 + index))
  const sorted = await timings(runs, run)
  return { name, p50: round(percentile(sorted, 0.5)), p95: round(percentile(sorted, 0.95)) }
}

async function sizes(owner: pg.Pool) {
  const { rows } = await owner.query<{ table: string; table_mb: number; indexes_mb: number }>(
    `select
      oid::regclass::text as table,
      round(pg_table_size(oid) / 1048576.0)::integer as table_mb,
      round(pg_indexes_size(oid) / 1048576.0)::integer as indexes_mb
    from pg_class
    where
      relkind = 'r'
      and oid::regclass::text in (
        'app.quotes', 'app.organizations', 'app.contacts', 'app.idempotency_keys', 'outbox.events'
      )
    order by pg_total_relation_size(oid) desc`,
  )
  return rows
}

const stop = await startServer()
const db = await createDatabase()
try {
  const tenants: Tenant[] = []
  const filled = await time(async () => {
    for (let index = 0; index < tenantCount; index += 1) {
      const tenant = await createTenant(db)
      await createProducts(db, tenant)
      await fill(db.owner, tenant.id, { quotes: rowCount / 2, organizations: rowCount / 2, contacts: false })
      tenants.push(tenant)
    }
    await fillTraces(db.owner, tenants)
  })
  const vacuum = await time(() => db.owner.query('vacuum analyze'))
  const figures = []
  for (const one of probes) figures.push(await probe(db.as('api'), tenants, one))
  const vacuumAfter = await time(() => db.owner.query('vacuum app.organizations'))
  const tables = await sizes(db.owner)
  console.table(figures)
  console.table(tables)
  const seconds = { fill: round(filled / 1000), vacuum: round(vacuum / 1000), 'vacuum of organizations after upserts': round(vacuumAfter / 1000) }
  console.table(seconds)
  if (flags.out) {
    const size = { tenants: tenantCount, rows: rowCount, requests: requestCount }
    writeFileSync(flags.out, JSON.stringify({ size, figures, tables, seconds }, null, 2))
  }
} finally {
  await db.close()
  await stop()
}
