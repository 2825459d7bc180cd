// What operations cost as a database grows: single statements, one after another, in turns on
// databases of several sizes, so that whatever else the machine does hits all alike.
//   node bench/scale.ts --sizes 10x1000,1000x10000 --requests 10000000
// A size is tenants x rows of each; rows are quotes and organizations by halves. `--requests`
// fills the idempotency and outbox tables of the last one as so many requests leave them.
// `--shared-buffers 6GB` is PostgreSQL's own memory, in a deployment a quarter of the machine's.
// Prints milliseconds of rows touched for the first time and of the same rows again, their ratios
// to the first size, and sizes on disk; `--out FILE` keeps them as JSON. Ten million rows with as many requests take half an hour and 20 GB.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { createProducts } from '../test/setup/catalogue.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant, digestOf } from '../test/setup/database.ts'
import { fill } from './seed.ts'
import { startServer, time } from './server.ts'
import { median, percentile, round } from './statistics.ts'

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10x1000,100x1000' },
    requests: { type: 'string', default: '0' },
    runs: { type: 'string', default: '300' },
    'shared-buffers': { type: 'string', default: '128MB' },
    out: { type: 'string' },
  },
})
const [requestCount, runs] = [flags.requests, flags.runs].map(Number) as [number, number]
const warmUp = 20

type Size = { label: string; tenantCount: number; rowCount: number }
/** `quoteIds`: of the quote that each call reads. */
type Site = Size & { db: TestDatabase; tenants: Tenant[]; quoteIds: string[] }

const sizes: Size[] = flags.sizes.split(',').map((label) => {
  const [tenantCount, rowCount] = label.split('x').map(Number) as [number, number]
  return { label, tenantCount, rowCount }
})

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

/** `values` are those of a call: its number, and whether its row was touched before. */
type Probe = { name: string; text: string; values: (index: number, site: Site, pass: string) => unknown[] }

const call = (name: string, placeholders: string): string =>
  `select reply.status from ${name}(auth.enter($1, $2), ${placeholders}) as reply`

const pick = (index: number, { rowCount }: Size): number => 1 + ((index * 7919) % (rowCount / 2))
const tenantOf = (index: number, tenants: Tenant[]): Tenant => tenants[(index * 31) % tenants.length]!

const searches = ['summit first', '00', 'lend', 'nobody', '4711', 'zz']

const upsertOf = (index: number, site: Site, pass: string): string =>
  JSON.stringify({
    external_reference: `O-${pick(index, site)}`,
    client_type: 'lender',
    amc_license_number: `L-${pass}-${index}`,
  })

const probes: Probe[] = [
  {
    name: 'read a quote',
    text: call('api.read_quote', '$3'),
    values: (index, { quoteIds }) => ['quotes:read', quoteIds[index]],
  },
  {
    name: 'look up a quote',
    text: call('api.find_quote', '$3'),
    values: (index, site) => ['quotes:read', `R-${pick(index, site)}`],
  },
  {
    name: 'look up an organization',
    text: call('api.find_organization', '$3'),
    values: (index, site) => ['organizations:read', `O-${pick(index, site)}`],
  },
  {
    name: 'upsert an organization',
    text: call('api.upsert_organization', '$3, $4, $5'),
    values: (index, site, pass) => [
      'organizations:write',
      `scale-${pass}-${index}`,
      Buffer.alloc(32),
      upsertOf(index, site, pass),
    ],
  },
  {
    name: 'search with q',
    text: call('api.list_organizations', '$3, null, 20, 0'),
    values: (index) => ['organizations:read', searches[index % searches.length]],
  },
]

/** Milliseconds of a probe's calls at each site, in turns. */
async function timesOf(sites: Site[], { name, text, values }: Probe, pass: string): Promise<number[][]> {
  const times = sites.map((): number[] => [])
  for (let index = 0; index < warmUp + runs; index += 1) {
    for (const [number, site] of sites.entries()) {
      const digest = digestOf(tenantOf(index, site.tenants).key)
      const ms = await time(() =>
        site.db.as('api').query({ name, text, values: [digest, ...values(index, site, pass)] }),
      )
      if (index >= warmUp) times[number]?.push(ms)
    }
  }
  return times.map((some) => some.toSorted((a, b) => a - b))
}

/**
 * A probe at each site: of rows that nobody has touched since they were filled in, and of
 * the same rows again. Where there are few rows, one call's are on the pages of another.
 */
async function probeAll(sites: Site[], probe: Probe) {
  const first = await timesOf(sites, probe, 'first')
  const again = await timesOf(sites, probe, 'again')
  const ratio = (times: number[][], number: number): number =>
    round(median(times[number] ?? []) / median(times[0] ?? []))
  return sites.map(({ label }, number) => ({
    name: probe.name,
    size: label,
    first_p50: round(percentile(first[number] ?? [], 0.5)),
    first_p95: round(percentile(first[number] ?? [], 0.95)),
    first_ratio: ratio(first, number),
    again_p50: round(percentile(again[number] ?? [], 0.5)),
    again_p95: round(percentile(again[number] ?? [], 0.95)),
    again_ratio: ratio(again, number),
  }))
}

async function open(size: Size): Promise<Site> {
  const db = await createDatabase()
  const tenants: Tenant[] = []
  for (let index = 0; index < size.tenantCount; index += 1) {
    const tenant = await createTenant(db)
    await createProducts(db, tenant)
    await fill(db.owner, tenant.id, { quotes: size.rowCount / 2, organizations: size.rowCount / 2, contacts: false })
    tenants.push(tenant)
    if (index % 100 === 99) console.log(`${size.label}: ${index + 1} tenants filled`)
  }
  const quoteIds: string[] = []
  for (let index = 0; index < warmUp + runs; index += 1) {
    const { rows } = await db.owner.query<{ id: string }>(
      'select id from app.quotes where tenant_id = $1 and external_reference = $2',
      [tenantOf(index, tenants).id, `R-${pick(index, size)}`],
    )
    quoteIds.push(rows[0]?.id ?? '')
  }
  return { ...size, db, tenants, quoteIds }
}

async function tablesOf(owner: pg.Pool) {
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

const stop = await startServer({ shared_buffers: flags['shared-buffers'] })
const sites: Site[] = []
try {
  const seconds: Record<string, number> = {}
  const timed = async (what: string, run: () => Promise<unknown>): Promise<void> => {
    seconds[what] = round((await time(run)) / 1000)
    console.log(`${what}: ${seconds[what]} s`)
  }
  for (const size of sizes) {
    await timed(`fill ${size.label}`, async () => sites.push(await open(size)))
  }
  const largest = sites.at(-1)!
  await timed(`traces of ${requestCount} requests`, () => fillTraces(largest.db.owner, largest.tenants))
  for (const { label, db } of sites) await timed(`vacuum ${label}`, () => db.owner.query('vacuum analyze'))
  const figures = []
  for (const one of probes) figures.push(...(await probeAll(sites, one)))
  await timed(`vacuum of organizations after ${runs} upserts`, () => largest.db.owner.query('vacuum app.organizations'))
  const tables = await tablesOf(largest.db.owner)
  console.table(figures)
  console.table(tables)
  if (flags.out) writeFileSync(flags.out, JSON.stringify({ figures, tables, seconds }, null, 2))
} finally {
  for (const { db } of sites) await db.close()
  await stop()
}
