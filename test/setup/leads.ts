// Leads for tests, one line each: bodies as a partner sends them, and rows as they are
// stored.
import type { Tenant, TestDatabase } from './database.ts'
import type { Fields } from './organizations.ts'

/** A lead that every rule accepts, once it names an organization. */
export const lead = (parts: Fields = {}): Fields => ({ title: 'Portfolio review', ...parts })

/** The record of a fresh lead, for toEqual. */
export const leadRecord = (parts: Fields): Fields => ({
  external_reference: null,
  external_source: null,
  stage: 'lead',
  amount_cents: null,
  notes: null,
  organization_external_reference: null,
  ...lead(),
  ...parts,
})

/** Puts a lead of an organization into the tables. Gives its id. */
export async function storeLead(
  db: TestDatabase,
  tenant: Tenant,
  organizationId: string,
  parts: Fields = {},
): Promise<string> {
  const row: Fields = { tenant_id: tenant.id, organization_id: organizationId, ...lead(parts) }
  const columns = Object.keys(row)
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into app.leads (${columns.join(', ')})
    values (${columns.map((_, index) => `$${index + 1}`).join(', ')})
    returning id`,
    Object.values(row),
  )
  return rows[0]?.id ?? ''
}

/** The leads of a tenant as their table has them, without times, in order of creation. */
export async function storedLeads(db: TestDatabase, tenant: Tenant): Promise<Fields[]> {
  const { rows } = await db.owner.query<{ lead: Fields }>(
    `select to_jsonb(leads) - '{tenant_id,created_at,updated_at}'::text[] as lead
    from app.leads
    where leads.tenant_id = $1
    order by leads.id`,
    [tenant.id],
  )
  return rows.map((row) => row.lead)
}
