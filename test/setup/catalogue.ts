// Products, appraisers, coverage and fees of a tenant, one line each.
import type { Tenant, TestDatabase } from './database.ts'

/** One product that is offered and one that isn't. */
export async function createProducts(db: TestDatabase, tenant: Tenant): Promise<void> {
  await createProduct(db, tenant, { code: 'URAR', name: 'Single family' })
  await createProduct(db, tenant, { code: 'OLD', name: 'No longer offered', isActive: false })
}

export async function createProduct(
  db: TestDatabase,
  tenant: Tenant,
  { code, name = code, isActive = true }: { code: string; name?: string; isActive?: boolean },
): Promise<void> {
  await db.owner.query(
    'insert into app.products (tenant_id, code, name, is_active) values ($1, $2, $3, $4)',
    [tenant.id, code, name, isActive],
  )
}

/** State, county (null: the whole state) and product (null: all). */
export type CoverageRow = [state: string, county?: string | null, product?: string | null]

/** Fee, days, and where: product (null: all), state and county (null: anywhere). */
export type FeeRow = [
  fee: string,
  days: number,
  product?: string | null,
  state?: string | null,
  county?: string | null,
]

export type Appraiser = {
  covers?: CoverageRow[]
  fees?: FeeRow[]
  isActive?: boolean
  isDefault?: boolean
}

let serial = 0

/** An appraiser with coverage and fees. Gives the id. */
export async function createAppraiser(
  db: TestDatabase,
  tenant: Tenant,
  { covers = [], fees = [], isActive = true, isDefault = false }: Appraiser,
): Promise<string> {
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into app.appraisers (tenant_id, external_reference, name, is_active, is_default)
    values ($1, $2, 'Ann', $3, $4) returning id`,
    [tenant.id, `A-${(serial += 1)}`, isActive, isDefault],
  )
  const id = rows[0]?.id ?? ''
  for (const [state, county = null, product = null] of covers) {
    await db.owner.query(
      `insert into app.coverage (tenant_id, appraiser_id, state, county, product_code)
      values ($1, $2, $3, $4, $5)`,
      [tenant.id, id, state, county, product],
    )
  }
  for (const [fee, days, product = null, state = null, county = null] of fees) {
    await db.owner.query(
      `insert into app.fees
        (tenant_id, appraiser_id, fee, turnaround_days, product_code, state, county)
      values ($1, $2, $3, $4, $5, $6, $7)`,
      [tenant.id, id, fee, days, product, state, county],
    )
  }
  return id
}

/** A quote request that every rule accepts, with parts replaced. */
export const quoteRequest = (parts: Record<string, unknown> = {}): Record<string, unknown> => ({
  product_code: 'URAR',
  subject: { line1: '12 Main St', city: 'Pasadena', state: 'CA', county: 'Los Angeles' },
  client: { name: 'Jane Doe', email: 'jane@example.com' },
  ...parts,
})
