// Tenants with rows in bulk, as a deployment of some years has them. The rules of the
// directory aren't asked: the rows are of the form that they leave.
import type pg from 'pg'

/** Rows of one tenant; `names` are spread so that a search has frequent and rare ones. */
export type Size = { quotes: number; organizations: number; contacts: boolean }

/** So many rows in one statement: more would hold up the others' vacuum for long. */
const chunk = 100_000

const insertQuotes = `
insert into app.quotes (
  tenant_id, external_reference, product_code, subject_line1, subject_city, subject_state,
  subject_county, client_name, client_email, created_at
)
select
  $1, 'R-' || n, 'URAR', n || ' Main St', 'Pasadena', 'CA', 'Los Angeles', 'Jane Doe',
  'jane' || n || '@example.com', now() - n * interval '1 minute'
from generate_series($2::integer, $3::integer) as n`

const insertOrganizations = `
insert into app.organizations (
  tenant_id, external_reference, external_source, name, client_type, phone, email, website,
  address_line1, city, state, postal_code, account_number
)
select
  $1, 'O-' || n, 'crm',
  words.list[1 + n / 100 % 7] || ' ' || words.list[1 + n / 100 % 11] || ' ' || n,
  case n / 100 % 4 when 0 then 'lender' else 'amc' end, '(626) 555-0140',
  'orders' || n || '@summit.example', 'https://summit.example', n || ' Lake Ave', 'Pasadena',
  'CA', '91101', 'AC-' || n
from
  generate_series($2::integer, $3::integer) as n,
  (values (array[
    'Summit', 'First', 'Valley', 'Harbor', 'Granite', 'Pioneer', 'Beacon', 'Bank', 'Lending',
    'Mortgage', 'Valuation'
  ])) as words (list)`

const insertContacts = `
insert into app.contacts (
  tenant_id, organization_id, external_reference, display_name, email, contact_type, is_primary
)
select
  organizations.tenant_id, organizations.id, 'P-1', 'Ann Lee',
  'ann@summit.example', 'billing', true
from app.organizations
where organizations.tenant_id = $1`

/** Fills a tenant that has the product URAR. */
export async function fill(owner: pg.Pool, tenantId: string, size: Size): Promise<void> {
  await inChunks(owner, insertQuotes, tenantId, size.quotes)
  await inChunks(owner, insertOrganizations, tenantId, size.organizations)
  if (size.contacts) await owner.query(insertContacts, [tenantId])
}

async function inChunks(owner: pg.Pool, text: string, tenantId: string, rows: number): Promise<void> {
  for (let first = 1; first <= rows; first += chunk) {
    await owner.query(text, [tenantId, first, Math.min(rows, first + chunk - 1)])
  }
}
