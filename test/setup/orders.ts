// Orders of a tenant, as an import would leave them.
import type { Tenant, TestDatabase } from './database.ts'

export type OrderRow = Record<string, string | null>

/** A lender of a tenant, for orders to refer to. Gives its id. */
export async function createLender(
  db: TestDatabase,
  tenant: Tenant,
  name: string,
): Promise<string> {
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into app.organizations (tenant_id, name, client_type)
    values ($1, $2, 'lender') returning id`,
    [tenant.id, name],
  )
  return rows[0]?.id ?? ''
}

/** An order with the columns given, the rest as empty as it may be. Gives its id. */
export async function createOrder(
  db: TestDatabase,
  tenant: Tenant,
  columns: OrderRow & { order_number: string; engaging_client_id: string },
): Promise<string> {
  const row = {
    tenant_id: tenant.id,
    status: 'scheduling',
    channel: 'direct',
    property_address: '12 Main St',
    ...columns,
  }
  const names = Object.keys(row)
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into app.orders (${names.join(', ')})
    values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(row),
  )
  return rows[0]?.id ?? ''
}
