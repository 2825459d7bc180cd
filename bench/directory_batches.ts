// Batches of organizations: what one saves over a hundred requests of one, and what
// happens when many clients send overlapping ones at once. Through HTTP, as partners
// come. `node bench/directory_batches.ts`; about a minute.
import { type TestApi, createApi, freshKey } from '../test/setup/api.ts'
import { createDatabase, createTenant } from '../test/setup/database.ts'
import { type Fields, amc, contact, eventsOf } from '../test/setup/organizations.ts'
import { type WireTap, tapWire } from '../test/setup/wire_tap.ts'
import { startServer, time } from './server.ts'
import { median, round } from './statistics.ts'

const clients = 16
const batches = 200
const batchSize = 100
/** Rows to choose from: each is in about thirteen of the batches. */
const organizations = 1500

const row = (number: number): Fields =>
  amc({
    external_reference: `R-${number}`,
    account_number: `AC-${number}`,
    name: `Organization ${number}`,
    contacts: [contact({ email: `ann${number}@bank.example`, is_primary: true })],
  })

const rows = (first: number): Fields[] =>
  Array.from({ length: batchSize }, (_, index) => row(first + index))

type Cost = { ms: number; statements: number; roundTrips: number }

async function measure(tap: WireTap, run: () => Promise<unknown>): Promise<Cost> {
  tap.reset()
  const ms = await time(run)
  return { ms, statements: tap.statements(), roundTrips: tap.roundTrips() }
}

async function batchAgainstSingles(api: TestApi, tap: WireTap): Promise<void> {
  const post = (path: string, body: unknown) =>
    api.send('POST', path, { headers: freshKey(), body })
  const singles = async (items: Fields[]) => {
    for (const item of items) await post('/organizations', item)
  }
  const batch = (items: Fields[]) => post('/organizations/batch', { items })
  await singles(rows(0))
  await batch(rows(0))

  for (const [what, apart] of [['creating', batchSize], ['updating', 0]] as const) {
    const one: Cost[] = []
    const many: Cost[] = []
    for (let run = 0; run < 7; run += 1) {
      const first = apart ? 10_000 + 2 * run * apart : 0
      many.push(await measure(tap, () => singles(rows(first))))
      one.push(await measure(tap, () => batch(rows(first + apart))))
    }
    const [single, batched] = [many, one].map((costs) => ({
      ...costs[0],
      ms: round(median(costs.map(({ ms }) => ms))),
    }))
    console.log(`${what} ${batchSize} organizations`)
    console.table({ 'requests of one': single, 'one batch': batched })
    console.log(`by time 1 : ${round((single?.ms ?? 0) / (batched?.ms ?? 1))}`)
  }
}

function pick(): Fields[] {
  const numbers = new Set<number>()
  while (numbers.size < batchSize) numbers.add(Math.floor(Math.random() * organizations))
  return [...numbers].map(row)
}

const count = (values: unknown[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1
  return counts
}

async function overlappingBatches(api: TestApi): Promise<void> {
  const tenant = await createTenant(api.db)
  const statuses: number[] = []
  const actions: string[] = []
  const waits: number[] = []
  let left = batches
  const client = async () => {
    while (left > 0) {
      left -= 1
      const items = pick()
      waits.push(
        await time(async () => {
          const answer = await api.send('POST', '/organizations/batch', {
            key: tenant.key,
            headers: freshKey(),
            body: { items },
          })
          statuses.push(answer.status)
          for (const result of answer.body.results ?? []) actions.push(result.error_code ?? result.action)
        }),
      )
    }
  }
  const ms = await time(() => Promise.all(Array.from({ length: clients }, client)))
  const { rows: stored } = await api.db.owner.query(
    `select
      count(*)::integer as organizations,
      count(distinct name)::integer as names,
      (select count(*)::integer from app.contacts where tenant_id = $1) as contacts,
      (select deadlocks::integer from pg_stat_database where datname = current_database())
    from app.organizations where tenant_id = $1`,
    [tenant.id],
  )
  console.log(`${clients} clients, ${batches} overlapping batches of ${batchSize}`)
  console.table({
    seconds: round(ms / 1000),
    'rows a second': Math.round((batches * batchSize * 1000) / ms),
    'median ms a batch': round(median(waits)),
    statuses: JSON.stringify(count(statuses)),
    rows: JSON.stringify(count(actions)),
    stored: JSON.stringify(stored[0]),
    events: (await eventsOf(api.db, tenant)).length,
  })
}

const stop = await startServer()
const db = await createDatabase()
const tap = await tapWire(db.urls.api)
const tapped = await createApi({ db, apiUrl: tap.url })
try {
  await batchAgainstSingles(tapped, tap)
  await overlappingBatches(tapped)
} finally {
  await tapped.close()
  await tap.close()
  await db.close()
  await stop()
}
