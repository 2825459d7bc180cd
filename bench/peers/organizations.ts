// The directory by hand: match, merge, write, one query after another.
import type pg from 'pg'
import { HttpError } from './gates.ts'
import { type Work, emit } from './transaction.ts'

type Row = Record<string, any>

const fields = [
  'external_reference', 'external_source', 'name', 'client_type', 'phone', 'email', 'website',
  'address_line1', 'address_line2', 'city', 'state', 'postal_code', 'account_number',
  'amc_license_number', 'notes', 'is_active', 'paid_when_paid',
]
const contactFields = [
  'external_reference', 'display_name', 'email', 'phone', 'contact_type', 'other_label', 'is_primary',
]
const required = ['phone', 'email', 'website', 'address_line1', 'city', 'state', 'postal_code']

const pick = (row: Row, names: string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]))

const times = (row: Row): Row => ({
  created_at: (row['created_at'] as Date).toISOString(),
  updated_at: (row['updated_at'] as Date).toISOString(),
})

const recordOf = (row: Row, contacts: Row[]): Row => ({
  id: row['id'],
  ...pick(row, fields),
  contacts: contacts.map((contact) => ({
    id: contact['id'],
    ...pick(contact, contactFields),
    ...times(contact),
  })),
  ...times(row),
})

const contactsOf = async (client: pg.PoolClient, ids: string[]): Promise<Row[]> =>
  (
    await client.query<Row>(
      'select * from app.contacts where organization_id = any($1) order by created_at, id',
      [ids],
    )
  ).rows

type Saved = { action: 'created' | 'updated'; row: Row }

async function match(client: pg.PoolClient, body: Row): Promise<Row | undefined> {
  const { external_reference: reference = null, account_number: account = null, name } = body
  const { rows } = await client.query<Row>(
    `select * from app.organizations
    where external_reference = $1 or account_number = $2 or name = $3
    order by id
    for update`,
    [reference, account, name],
  )
  const fits = (row: Row) =>
    row['external_reference'] === null || reference === null || row['external_reference'] === reference
  const byReference = rows.find((row) => reference !== null && row['external_reference'] === reference)
  const found = byReference ?? rows.find((row) => row['account_number'] === account && fits(row)) ??
    rows.find((row) => row['name'] === name && fits(row))
  const other = rows.find((row) => row !== found && row['name'] === name)
  if (other) throw new HttpError(409, 'name_conflict')
  if (!found && rows.length > 0) throw new HttpError(409, 'external_reference_conflict')
  return found
}

async function write(client: pg.PoolClient, tenantId: string, body: Row): Promise<Saved> {
  const old = await match(client, body)
  const merged = { is_active: true, paid_when_paid: false, ...old, ...body } as Row
  if (body['client_type'] !== 'lender' && required.some((name) => !body[name])) {
    throw new HttpError(422, 'validation_error')
  }
  const values = fields.map((name) => merged[name] ?? null)
  const { rows } = old
    ? await client.query<Row>(
        `update app.organizations
        set ${fields.map((name, index) => `${name} = $${index + 2}`).join(', ')}
        where id = $1 returning *`,
        [old['id'], ...values],
      )
    : await client.query<Row>(
        `insert into app.organizations (tenant_id, ${fields.join(', ')})
        values ($1, ${fields.map((_, index) => `$${index + 2}`).join(', ')}) returning *`,
        [tenantId, ...values],
      )
  return { action: old ? 'updated' : 'created', row: rows[0] ?? {} }
}

/** Gives the contacts as they are then. */
async function writeContacts(client: pg.PoolClient, row: Row, given: Row[]): Promise<Row[]> {
  const stored = await contactsOf(client, [row['id']])
  let changed = false
  for (const contact of given) {
    const known =
      stored.find((one) => one['external_reference'] !== null &&
        one['external_reference'] === contact['external_reference']) ??
      stored.find((one) => one['email'].toLowerCase() === contact['email'].toLowerCase())
    const merged = { is_primary: false, ...known, ...contact } as Row
    const values = contactFields.map((name) => merged[name] ?? null)
    if (known && contactFields.every((name) => (known[name] ?? null) === (merged[name] ?? null))) continue
    changed = true
    await (known
      ? client.query(
          `update app.contacts
          set ${contactFields.map((name, index) => `${name} = $${index + 2}`).join(', ')}
          where id = $1`,
          [known['id'], ...values],
        )
      : client.query(
          `insert into app.contacts (tenant_id, organization_id, ${contactFields.join(', ')})
          values ($1, $2, ${contactFields.map((_, index) => `$${index + 3}`).join(', ')})`,
          [row['tenant_id'], row['id'], ...values],
        ))
  }
  return changed ? contactsOf(client, [row['id']]) : stored
}

async function save(client: pg.PoolClient, tenantId: string, body: Row) {
  const { action, row } = await write(client, tenantId, body)
  const contacts = await writeContacts(client, row, body['contacts'] ?? [])
  await emit(client, 'organization.upserted', {
    id: row['id'],
    external_reference: row['external_reference'],
    client_type: row['client_type'],
    action,
  })
  return { action, record: recordOf(row, contacts) }
}

export const upsertOrganization =
  (body: Row): Work =>
  async (client, tenantId) => {
    const { action, record } = await save(client, tenantId, body)
    return { status: action === 'created' ? 201 : 200, body: { ...record, action } }
  }

export const upsertBatch =
  (body: Row): Work =>
  async (client, tenantId) => {
    const results: Row[] = []
    for (const [index, item] of (body['items'] as Row[]).entries()) {
      const { action, record } = await save(client, tenantId, item)
      results.push({
        index,
        external_reference: item['external_reference'] ?? null,
        action,
        id: record['id'],
        error_code: null,
        message: null,
      })
    }
    return { status: 200, body: { results } }
  }

export const listOrganizations =
  ({ q, client_type: type, limit, offset }: Row): Work =>
  async (client) => {
    const pattern = q ? `%${String(q).replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null
    const { rows } = await client.query<Row>(
      `select * from app.organizations
      where ($1::text is null or name ilike $1) and ($2::text is null or client_type = $2)
      order by name_key, id
      limit $3 offset $4`,
      [pattern, type, limit + 1, offset],
    )
    const page = rows.slice(0, limit)
    const contacts = await contactsOf(client, page.map((row) => row['id']))
    return {
      status: 200,
      body: {
        items: page.map((row) =>
          recordOf(row, contacts.filter((contact) => contact['organization_id'] === row['id'])),
        ),
        limit,
        offset,
        has_more: rows.length > limit,
      },
    }
  }
