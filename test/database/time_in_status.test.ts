// A quote keeps when it was sent and closed, as its history has it, whoever moves it.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createProducts } from '../setup/catalogue.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'

let db: TestDatabase
let tenant: Tenant

beforeAll(async () => {
  db = await createDatabase()
  tenant = await createTenant(db)
  await createProducts(db, tenant)
})
afterAll(() => db.close())

async function move(id: string, ...statuses: string[]): Promise<void> {
  for (const status of statuses) {
    const client = await db.as('office').connect()
    try {
      await client.query('begin')
      await client.query('select office.enter($1)', [tenant.id])
      await client.query('update app.quotes set status = $2, fee = 450 where id = $1', [id, status])
      await client.query('commit')
    } finally {
      client.release()
    }
  }
}

it.each([
  { path: [], times: { sent: false, closed: false } },
  { path: ['sent'], times: { sent: true, closed: false } },
  { path: ['sent', 'accepted'], times: { sent: true, closed: true } },
  { path: ['sent', 'declined'], times: { sent: true, closed: true } },
  { path: ['sent', 'expired'], times: { sent: true, closed: true } },
  { path: ['expired'], times: { sent: false, closed: true } },
])('open $path', async ({ path, times }) => {
  const { rows: created } = await db.owner.query(
    `insert into app.quotes (
      tenant_id, product_code, subject_line1, subject_state, subject_county, client_name, client_email
    ) values ($1, 'URAR', '1 Main St', 'CA', 'Kern', 'Jane', 'jane@example.com') returning id`,
    [tenant.id],
  )
  await move(created[0].id, ...path)
  const { rows } = await db.owner.query(
    `select
      sent_at is not null as sent,
      closed_at is not null as closed,
      sent_at is not distinct from (
        select changed_at from app.quote_status_changes
        where quote_id = quotes.id and to_status = 'sent'
      ) as is_sent_as_in_history,
      closed_at is not distinct from (
        select changed_at from app.quote_status_changes
        where quote_id = quotes.id and to_status not in ('open', 'sent')
      ) as is_closed_as_in_history,
      hours_open is not distinct from
        date_part('epoch', coalesce(sent_at, closed_at) - created_at) / 3600 as are_hours_right
    from app.quotes where id = $1`,
    [created[0].id],
  )
  expect(rows).toEqual([
    { ...times, is_sent_as_in_history: true, is_closed_as_in_history: true, are_hours_right: true },
  ])
})

it('its county key and its hours follow from the other columns, whatever a writer gives', async () => {
  const { rows: created } = await db.owner.query(
    `insert into app.quotes (
      tenant_id, product_code, subject_line1, subject_state, subject_county, client_name, client_email,
      subject_county_key, hours_open, hours_sent
    ) values ($1, 'URAR', '1 Main St', 'CA', 'Kern', 'Jane', 'jane@example.com', 'other', 7, 8)
    returning id, subject_county_key, hours_open, hours_sent`,
    [tenant.id],
  )
  const { id, ...given } = created[0]
  const { rows: moved } = await db.owner.query(
    `update app.quotes
    set
      subject_county = 'Los Angeles County', subject_county_key = 'other', hours_open = 7,
      sent_at = created_at + interval '1 hour', closed_at = created_at + interval '4 hours'
    where id = $1
    returning subject_county_key, hours_open, hours_sent`,
    [id],
  )
  expect([given, ...moved]).toEqual([
    { subject_county_key: 'kern', hours_open: null, hours_sent: null },
    { subject_county_key: 'losangeles', hours_open: 1, hours_sent: 3 },
  ])
})
