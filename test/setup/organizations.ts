// Organizations and contacts for tests, one line each: bodies as a partner sends them,
// and rows put into the directory without asking its rules.
import type { Tenant, TestDatabase } from './database.ts'

export type Fields = Record<string, unknown>

/** All that another type than lender must have. */
export const office = {
  phone: '(626) 555-0140',
  email: 'orders@summit.example',
  website: 'https://summit.example',
  address_line1: '400 Lake Ave',
  city: 'Pasadena',
  state: 'CA',
  postal_code: '91101',
}

let serial = 0
const freshName = () => `Organization ${(serial += 1)}`

/** A lender that every rule accepts, with a name of its own. */
export const lender = (parts: Fields = {}): Fields => ({
  name: freshName(),
  client_type: 'lender',
  ...parts,
})

/** A complete AMC with a name of its own. */
export const amc = (parts: Fields = {}): Fields => ({
  name: freshName(),
  client_type: 'amc',
  ...office,
  ...parts,
})

export const contact = (parts: Fields = {}): Fields => ({
  display_name: 'Ann Lee',
  email: 'ann@summit.example',
  contact_type: 'billing',
  ...parts,
})

/** The record of a fresh lender, for toEqual. */
export const record = (parts: Fields): Fields => ({
  id: parts['id'],
  external_reference: null,
  external_source: null,
  phone: null,
  email: null,
  website: null,
  address_line1: null,
  address_line2: null,
  city: null,
  state: null,
  postal_code: null,
  account_number: null,
  amc_license_number: null,
  notes: null,
  is_active: true,
  paid_when_paid: false,
  contacts: [],
  ...parts,
})

/** The record of a fresh contact, for toEqual. */
export const contactRecord = (parts: Fields): Fields => ({
  external_reference: null,
  phone: null,
  other_label: null,
  is_primary: false,
  ...contact(),
  ...parts,
})

/** Puts a row into the directory, a lender unless told. Gives its id. */
export async function storeOrganization(
  db: TestDatabase,
  tenant: Tenant,
  parts: Fields = {},
): Promise<string> {
  return store(db, 'app.organizations', { tenant_id: tenant.id, ...lender(parts) })
}

/** Puts a contact into an organization. Gives its id. */
export async function storeContact(
  db: TestDatabase,
  tenant: Tenant,
  organizationId: string,
  parts: Fields = {},
): Promise<string> {
  return store(db, 'app.contacts', {
    tenant_id: tenant.id,
    organization_id: organizationId,
    ...contact(parts),
  })
}

async function store(db: TestDatabase, table: string, row: Fields): Promise<string> {
  const columns = Object.keys(row)
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into ${table} (${columns.join(', ')})
    values (${columns.map((_, index) => `$${index + 1}`).join(', ')})
    returning id`,
    Object.values(row),
  )
  return rows[0]?.id ?? ''
}

/** The directory of a tenant as its tables have it, without times, by name. */
export async function storedDirectory(db: TestDatabase, tenant: Tenant): Promise<Fields[]> {
  const { rows } = await db.owner.query<{ organization: Fields }>(
    `select
      to_jsonb(organizations) - '{tenant_id,name_key,created_at,updated_at}'::text[]
      || jsonb_build_object('contacts', (
        select coalesce(jsonb_agg(
          to_jsonb(contacts)
          - '{tenant_id,organization_id,email_key,created_at,updated_at}'::text[]
          order by contacts.id
        ), '[]')
        from app.contacts
        where contacts.organization_id = organizations.id
      )) as organization
    from app.organizations
    where organizations.tenant_id = $1
    order by organizations.name`,
    [tenant.id],
  )
  return rows.map(({ organization }) => organization)
}

export type DirectoryEvent = { type: string; data: Fields }

/** The events of a tenant, the oldest first. */
export async function eventsOf(db: TestDatabase, tenant: Tenant): Promise<DirectoryEvent[]> {
  const { rows } = await db.owner.query<DirectoryEvent>(
    'select type, data from outbox.events where tenant_id = $1 order by id',
    [tenant.id],
  )
  return rows
}
