// Products, appraisers, coverage and fees of a tenant, one line each.
import type { Tenant, TestDatabase } from './database.ts'

/** One product that is offered and one that isn't. */
export async function createProducts(db: TestDatabase, tenant: Tenant): Promise<void> {
  await db.owner.query(
    `insert into app.products (tenant_id, code, name, is_active)
    values ($1, 'URAR', 'Single family', true), ($1, 'OLD', 'No longer offered', false)`,
    [tenant.id],
  )
}

/** A quote request that every rule accepts, with parts replaced. */
export const quoteRequest = (parts: Record<string, unknown> = {}): Record<string, unknown> => ({
  product_code: 'URAR',
  subject: { line1: '12 Main St', city: 'Pasadena', state: 'CA', county: 'Los Angeles' },
  client: { name: 'Jane Doe', email: 'jane@example.com' },
  ...parts,
})
