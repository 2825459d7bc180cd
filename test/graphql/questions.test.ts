// The ten questions of docs/analytics.md, each held against a query that was written by
// hand over the tables, for one tenant of two. A question without one fails here.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Ask, type TestGraphql, createAnalyst, createTestGraphql, fillYear } from '../setup/analytics.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'
import { questionsOf } from '../setup/questions.ts'

let db: TestDatabase
let graphql: TestGraphql
let ours: Tenant
let ask: Ask

beforeAll(async () => {
  db = await createDatabase()
  ours = await createTenant(db)
  const theirs = await createTenant(db)
  await fillYear(db, ours, 1)
  await fillYear(db, theirs, 2)
  graphql = await createTestGraphql(db)
  ask = graphql.ask(await createAnalyst(db, [ours]))
})
afterAll(async () => {
  await graphql.close()
  await db.close()
})

type Proof = { sql: string; rows(data: any): unknown[][] }

const groups = (list: any, read: (group: any) => unknown[]): unknown[][] =>
  list.groupedAggregates.map((group: any) => [...group.keys, ...read(group)])

// A sum of floating-point numbers depends on their order.
const sixDigits = (value: number): number => Number(value.toFixed(6))

// Time in a status as its history tells it, from one row to the next.
const stays = `
  select
    quote_id,
    to_status as status,
    date_part('epoch', lead(changed_at) over (partition by quote_id order by changed_at, id)
      - changed_at) / 3600 as hours
  from app.quote_status_changes
  where tenant_id = $1`

const proofs: Record<string, Proof> = {
  1: {
    sql: `
      select
        date_trunc('week', created_at at time zone 'UTC')::date::text,
        count(*)::int,
        nullif(count(*) filter (where status = 'accepted'), 0)::int
      from app.quotes
      where tenant_id = $1 and created_at >= '2026-07-01Z'
      group by 1 order by 1`,
    rows: ({ requested, accepted }) => {
      const won = new Map(accepted.groupedAggregates.map((group: any) => [group.keys[0], group.count]))
      return groups(requested, (group) => [group.count, won.get(group.keys[0]) ?? null])
    },
  },
  2: {
    sql: `
      select
        product_code,
        count(*)::int,
        avg(fee)::text,
        round(percentile_cont(0.5) within group (order by fee)::numeric, 2)::text,
        round(percentile_cont(0.9) within group (order by fee)::numeric, 2)::text,
        min(fee)::text,
        max(fee)::text
      from app.quotes where tenant_id = $1 and fee is not null
      group by 1 order by 1`,
    rows: ({ quotes }) =>
      groups(quotes, ({ count, average, median, p90, min, max }) => [
        count, average.fee, median.fee, p90.fee, min.fee, max.fee,
      ]),
  },
  3: {
    sql: `
      select
        subject_state,
        reference.county_key(subject_state, subject_county),
        count(*)::int,
        avg(fee)::text,
        (extract(epoch from max(created_at)) * 1000)::bigint::text
      from app.quotes where tenant_id = $1
      group by 1, 2 order by 1, 2`,
    rows: ({ quotes }) =>
      groups(quotes, ({ count, average, max }) => [
        count, average.fee, String(Date.parse(max.createdAt)),
      ]),
  },
  4: {
    sql: `
      with stay as (${stays})
      select
        date_trunc('month', created_at at time zone 'UTC')::date::text,
        count(*)::int,
        round(avg(hours)::numeric, 6)::float8,
        percentile_cont(0.5) within group (order by hours),
        percentile_cont(0.9) within group (order by hours)
      from stay inner join app.quotes on quotes.id = stay.quote_id
      where tenant_id = $1 and stay.status = 'open'
        and exists (select from stay as sent where sent.quote_id = quotes.id and sent.status = 'sent')
      group by 1 order by 1`,
    rows: ({ quotes }) =>
      groups(quotes, ({ count, average, median, p90 }) => [
        count, sixDigits(average.hoursOpen), median.hoursOpen, p90.hoursOpen,
      ]),
  },
  5: {
    sql: `
      with stay as (${stays})
      select
        product_code,
        quotes.status,
        count(*)::int,
        percentile_cont(0.5) within group (order by hours),
        percentile_cont(0.95) within group (order by hours)
      from stay inner join app.quotes on quotes.id = stay.quote_id
      where tenant_id = $1 and stay.status = 'sent' and quotes.status in ('accepted', 'declined')
      group by 1, 2 order by 1, 2`,
    rows: ({ quotes }) =>
      groups(quotes, ({ count, median, p95 }) => [count, median.hoursSent, p95.hoursSent]),
  },
  6: {
    sql: `
      select subject_state, status, count(*)::int, coalesce(sum(fee), 0)::text, avg(turnaround_days)::text
      from app.quotes where tenant_id = $1
      group by 1, 2 order by 1, 2`,
    rows: ({ quotes }) =>
      groups(quotes, ({ count, sum, average }) => [count, sum.fee, average.turnaroundDays]),
  },
  7: {
    sql: `
      select quotes.id, external_reference, subject_state, subject_county, products.name,
        (count(*) over ())::int
      from app.quotes
      inner join app.products on products.tenant_id = $1 and products.code = quotes.product_code
      where quotes.tenant_id = $1 and status = 'open'
      order by quotes.created_at, quotes.id limit 20`,
    rows: ({ quotes }) =>
      quotes.nodes.map((quote: any) => [
        quote.id, quote.externalReference, quote.state, quote.county, quote.product.name, quotes.totalCount,
      ]),
  },
  8: {
    sql: `
      select stage, count(*)::int, sum(amount_cents)::text, avg(amount_cents)::text
      from app.leads where tenant_id = $1 group by 1 order by 1`,
    rows: ({ leads }) =>
      groups(leads, ({ count, sum, average }) => [count, sum.amountCents, average.amountCents]),
  },
  9: {
    sql: `
      select key_name, operation, sum(requests)::text, sum(errors)::text, max(requests)
      from app.api_usage
      where tenant_id = $1 and day >= '2026-10-01' and day < '2026-11-01'
      group by 1, 2 order by 1, 2`,
    rows: ({ apiUsageDays }) =>
      groups(apiUsageDays, ({ sum, max }) => [sum.requests, sum.errors, max.requests]),
  },
  10: {
    sql: `
      select
        endpoint_id::text,
        date_trunc('week', created_at at time zone 'UTC')::date::text,
        count(*)::text,
        count(*) filter (where status = 'delivered')::text,
        count(*) filter (where status = 'failed')::text,
        count(*) filter (where status = 'skipped')::text,
        sum(attempts)::text
      from outbox.deliveries
      where tenant_id = $1 and created_at >= '2026-10-05Z'
      group by 1, 2 order by 1, 2`,
    rows: ({ webhookHealthDays }) =>
      groups(webhookHealthDays, ({ sum }) => [
        sum.deliveries, sum.delivered, sum.failed, sum.skipped, sum.attempts,
      ]),
  },
}

const questions = questionsOf(readFileSync(new URL('../../docs/analytics.md', import.meta.url), 'utf8'))

describe('docs/analytics.md', () => {
  it('has ten questions', () => {
    expect(questions.map((question) => question.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it.each(questions)('$number. $title', async ({ number, query }) => {
    const proof = proofs[number]
    const { rows } = await db.owner.query({ text: proof?.sql ?? '', values: [ours.id], rowMode: 'array' })
    const { data, errors } = await ask(query)
    expect(errors).toBeUndefined()
    expect(rows.length).toBeGreaterThan(2)
    expect(proof?.rows(data)).toEqual(rows)
  })
})
