// The analysts' endpoint on the internal listener, tokens for it, and a tenant's year of
// data, made from numbers so that every run has the same.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino, { type Logger } from 'pino'
import { makeAnalystToken } from '../../src/analyst_token.ts'
import { createGraphql } from '../../src/graphql/index.ts'
import { createMetrics } from '../../src/metrics.ts'
import { createInternalApp } from '../../src/internal.ts'
import { digestOf } from './database.ts'
import type { Tenant, TestDatabase } from './database.ts'

/** A token that sees some tenants, or all. */
export async function createAnalyst(db: TestDatabase, tenants: Tenant[] | 'all'): Promise<string> {
  const { token, prefix, digest } = makeAnalystToken()
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into auth.analyst_tokens (name, prefix, digest, is_for_all_tenants)
    values ('dana', $1, $2, $3) returning id`,
    [prefix, digest, tenants === 'all'],
  )
  for (const tenant of tenants === 'all' ? [] : tenants) {
    await db.owner.query('insert into auth.analyst_token_tenants values ($1, $2)', [
      rows[0]?.id,
      tenant.id,
    ])
  }
  return token
}

export type GraphqlAnswer = {
  status: number
  headers: Headers
  text: string
  data: any
  errors: any[] | undefined
}

export type Ask = (
  query: string,
  more?: {
    token?: string | null
    variables?: unknown
    headers?: Record<string, string>
    path?: string
  },
) => Promise<GraphqlAnswer>

export type TestGraphql = { url: string; ask(token: string): Ask; close(): Promise<void> }

export async function createTestGraphql(
  db: TestDatabase,
  options: { concurrency?: number; queryMs?: number; log?: Logger } = {},
): Promise<TestGraphql> {
  const graphql = createGraphql({
    url: db.urls.analyst,
    log: pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }),
    ...options,
  })
  await graphql.start()
  const app = createInternalApp({
    isReady: async () => true,
    takesDocuments: async () => true,
    graphql,
    metrics: createMetrics(),
  })
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    ask: (token) => async (query, more = {}) => send(url, token, query, more),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await graphql.close()
    },
  }
}

async function send(
  url: string,
  ownToken: string,
  query: string,
  { token = ownToken, variables, headers = {}, path = '/graphql' }: NonNullable<Parameters<Ask>[1]>,
): Promise<GraphqlAnswer> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const body = isJson ? JSON.parse(text) : {}
  return { status: response.status, headers: response.headers, text, data: body.data, errors: body.errors }
}

/** A year of quotes, leads, orders, usage and deliveries of a tenant; `seed` shifts it. */
export async function fillYear(db: TestDatabase, tenant: Tenant, seed: number): Promise<void> {
  const run = (sql: string, ...values: unknown[]) => db.owner.query(sql, [tenant.id, ...values])
  await run(`
    insert into app.products (tenant_id, code, name)
    select $1, code, code || ' appraisal' from unnest(array['URAR', 'CONDO', 'LAND']) as code`)
  await run(
    `insert into app.quotes (
      tenant_id, product_code, source, external_reference, subject_line1, subject_city,
      subject_state, subject_county, subject_postal_code, client_name, client_email,
      client_phone, borrower_name, borrower_email, borrower_phone, notes, created_at
    )
    select
      $1,
      (array['URAR', 'CONDO', 'LAND'])[1 + (n * 7 + $2) % 3],
      (array['api', 'website', 'automation'])[1 + n % 3],
      'Q-' || n,
      n || ' Secret Street',
      'Bakersfield',
      (array['CA', 'CA', 'TX', 'VA'])[1 + (n + $2) % 4],
      (array['Kern', 'KERN COUNTY', 'Travis', 'Fairfax'])[1 + (n + $2) % 4],
      '93301',
      'Clara Client',
      'clara@secret.example',
      '(661) 555-0101',
      'Bob Borrower',
      'bob@secret.example',
      '(661) 555-0102',
      'Gate code 1234',
      timestamptz '2026-01-05 10:00Z' + n * interval '31 hours' + $2 * interval '11 minutes'
    from generate_series(1, 240 + $2 * 10) as n`,
    seed,
  )
  await moveQuotes(db, tenant, seed)
  await fillDirectory(db, tenant, seed)
  await fillTraffic(db, tenant, seed)
}

// The trigger stamps the time of the test; what the year needs is moved into the past,
// in the quote and in its history alike.
async function moveQuotes(db: TestDatabase, tenant: Tenant, seed: number): Promise<void> {
  const run = (sql: string, ...values: unknown[]) => db.owner.query(sql, [tenant.id, ...values])
  const number = `substr(quotes.external_reference, 3)::int`
  await run(
    `update app.quotes
    set status = 'sent', fee = 300 + (${number} * 37 + $2) % 400, turnaround_days = 2 + ${number} % 9
    where tenant_id = $1 and ${number} % 5 <> 0`,
    seed,
  )
  await run(
    `update app.quotes
    set status = (array['accepted', 'declined', 'expired', 'accepted'])[1 + (${number} + $2) % 4]
    where tenant_id = $1 and status = 'sent' and ${number} % 5 <> 1`,
    seed,
  )
  await run(`update app.quotes set status = 'expired' where tenant_id = $1 and ${number} % 25 = 0`)
  await run(`
    update app.quotes
    set
      sent_at = created_at + ${number} % 40 * interval '1 hour' + interval '17 minutes',
      closed_at = case when closed_at is not null
        then created_at + (50 + ${number} % 60) * interval '1 hour' end
    where tenant_id = $1 and sent_at is not null`)
  await run(`
    update app.quotes set closed_at = created_at + interval '30 days'
    where tenant_id = $1 and sent_at is null and closed_at is not null`)
  await run(`
    update app.quote_status_changes as change
    set changed_at = case change.to_status
      when 'open' then quotes.created_at when 'sent' then quotes.sent_at else quotes.closed_at end
    from app.quotes
    where change.tenant_id = $1 and quotes.tenant_id = $1 and quotes.id = change.quote_id`)
}

async function fillDirectory(db: TestDatabase, tenant: Tenant, seed: number): Promise<void> {
  const run = (sql: string, ...values: unknown[]) => db.owner.query(sql, [tenant.id, ...values])
  await run(`
    insert into app.organizations (
      tenant_id, external_reference, name, client_type, phone, email, website, address_line1,
      city, state, postal_code, notes
    )
    select
      $1, 'ORG-' || n, case when n = 3 then 'Paula Private' else 'Bank ' || n end,
      case when n = 3 then 'private_party' else 'lender' end,
      '(661) 555-0103', 'office@secret.example', 'https://bank.example', n || ' Secret Street',
      'Austin', 'TX', '78701', 'Ask for Olga'
    from generate_series(1, 4) as n`)
  await run(`
    insert into app.contacts (
      tenant_id, organization_id, display_name, email, phone, contact_type
    )
    select $1, id, 'Connie Contact', 'connie@secret.example', '(661) 555-0104', 'billing'
    from app.organizations where tenant_id = $1`)
  await run(
    `insert into app.leads (tenant_id, organization_id, external_reference, title, stage, amount_cents)
    select
      $1, organizations.id, organizations.external_reference || '-L' || n, 'Call Lena Lead',
      (array['lead', 'qualified', 'proposal', 'won', 'lost'])[1 + (n + $2) % 5],
      case when n % 7 > 0 then n * 12345 + $2 end
    from app.organizations, generate_series(1, 11) as n
    where tenant_id = $1`,
    seed,
  )
  await run(`
    insert into app.orders (
      tenant_id, order_number, status, channel, fee, loan_number, property_address,
      property_state, engaging_client_id
    )
    select $1, 'O-' || external_reference, 'delivered', 'direct', 450, 'LOAN-4711',
      '5 Secret Street', 'TX', id
    from app.organizations where tenant_id = $1`)
}

async function fillTraffic(db: TestDatabase, tenant: Tenant, seed: number): Promise<void> {
  const run = (sql: string, ...values: unknown[]) => db.owner.query(sql, [tenant.id, ...values])
  await run(
    `insert into app.api_usage (tenant_id, api_key_id, key_name, day, operation, requests, errors)
    select $1, api_keys.id, api_keys.name, date '2026-09-20' + n,
      (array['create_quote', 'read_quote', 'find_quote'])[1 + n % 3], 100 + n * 3 + $2, n % 4
    from auth.api_keys, generate_series(1, 30) as n
    where tenant_id = $1`,
    seed,
  )
  await run(
    `with endpoint as (
      insert into outbox.endpoints (tenant_id, url, event_types, secret)
      select $1, 'https://hooks.example/secret-path-' || n, array['quote.created'], '\\x5ec2e7'
      from generate_series(1, 2) as n
      returning id
    ), event as (
      insert into outbox.events (tenant_id, batch_id, type, data)
      select $1, uuidv7(), 'quote.created', '{}' from generate_series(1, 40 + $2)
      returning id
    )
    insert into outbox.deliveries (tenant_id, event_id, endpoint_id, status, attempts, created_at)
    select $1, event.id, endpoint.id,
      (array['delivered', 'delivered', 'failed', 'skipped'])[
        1 + (row_number() over (order by endpoint.id, event.id))::int % 4],
      1 + (row_number() over (order by event.id))::int % 3,
      timestamptz '2026-10-01Z'
        + (row_number() over (order by event.id)) * interval '7 hours'
    from event, endpoint`,
    seed,
  )
}

/** A transaction as svc_analyst with a token in force, or with a digest of one's own. */
export async function asAnalyst<T>(
  db: TestDatabase,
  token: string,
  work: (query: (sql: string, values?: unknown[]) => Promise<any[]>) => Promise<T>,
): Promise<T> {
  const client = await db.as('analyst').connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('svc.analyst_digest', $1, true)`, [
      digestOf(token).toString('hex'),
    ])
    return await work(async (sql, values) => (await client.query(sql, values)).rows)
  } finally {
    await client.query('rollback')
    client.release()
  }
}
