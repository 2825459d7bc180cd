import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestAdmin, createAdmin } from '../setup/admin.ts'
import { createTenant } from '../setup/database.ts'
import { fillEveryTable } from '../setup/every_table.ts'

let admin: TestAdmin
beforeAll(async () => {
  admin = await createAdmin()
})
afterAll(() => admin.close())

describe('tenant create', () => {
  it('prints the tenant, which list and show then have', async () => {
    const created = await admin.json('tenant', 'create', '--slug', 'acme', '--name', 'Acme Appraisal')
    expect(created).toEqual({ id: expect.any(String), slug: 'acme', name: 'Acme Appraisal' })

    const [list, bySlug, byId] = await Promise.all([
      admin.json('tenant', 'list'),
      admin.json('tenant', 'show', 'acme'),
      admin.json('tenant', 'show', '--tenant', created.id),
    ])
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(list).toEqual([{ ...created, created_at: createdAt }])
    expect(bySlug).toMatchObject({ ...created, created_at: createdAt, keys: 0, quotes: 0, orders: 0 })
    expect(byId).toEqual(bySlug)
  })

  it.each([
    ['a slug that is taken', 'taken', 'Other', 'tenants_slug_key'],
    ['a slug with capitals', 'Acme', 'Acme', 'tenants_slug_check'],
    ['the slug that stands for all', 'all', 'All', 'tenants_slug_is_not_all'],
    ['an empty name', 'empty', ' ', 'tenants_name_check'],
  ])('can NOT take %s', async (_what, slug, name, code) => {
    await admin.db.owner.query(
      `insert into app.tenants (slug, name) values ('taken', 'T') on conflict do nothing`,
    )
    expect(await admin.error('tenant', 'create', '--slug', slug, '--name', name)).toMatchObject({ code })
  })
})

describe('tenant delete', () => {
  /** How many rows of a tenant each table holds that has any. */
  async function rowsOf(tenantId: string): Promise<Record<string, number>> {
    const { rows: tables } = await admin.db.owner.query<{ name: string }>(`
      select format('%I.%I', table_schema, table_name) as name
      from information_schema.columns
      where column_name = 'tenant_id' and table_schema in ('app', 'auth', 'outbox')`)
    const counts: Record<string, number> = {}
    for (const { name } of tables) {
      const { rows } = await admin.db.owner.query<{ count: number }>(
        `select count(*)::integer as count from ${name} where tenant_id = $1`,
        [tenantId],
      )
      counts[name] = rows[0]?.count ?? 0
    }
    return counts
  }

  async function createFullTenant() {
    const tenant = await createTenant(admin.db)
    await fillEveryTable(admin.db, tenant)
    await admin.db.owner.query(
      `with event as (
        insert into outbox.events (tenant_id, batch_id, type, data)
        values ($1, uuidv7(), 'quote.created', '{}') returning id
      ), endpoint as (
        insert into outbox.endpoints (tenant_id, url, event_types, secret)
        values ($1, 'https://example.com', '{quote.created}', '\\x00') returning id
      ), delivery as (
        insert into outbox.deliveries (tenant_id, event_id, endpoint_id, next_attempt_at)
        select $1, event.id, endpoint.id, now() from event, endpoint returning id
      )
      insert into outbox.attempts (tenant_id, delivery_id, number, started_at, duration_ms)
      select $1, id, 1, now(), 1 from delivery`,
      [tenant.id],
    )
    await admin.db.owner.query(
      `with token as (
        insert into auth.analyst_tokens (name, prefix, digest)
        values ('a', 'svc_analyst_abcd', sha256(uuidv7()::text::bytea)) returning id
      )
      insert into auth.analyst_token_tenants (token_id, tenant_id) select id, $1 from token`,
      [tenant.id],
    )
    return tenant
  }

  it('removes what every table holds of the tenant, and nothing of another', async () => {
    const [gone, stays] = [await createFullTenant(), await createFullTenant()]
    const before = await rowsOf(gone.id)
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])

    expect(await admin.error('tenant', 'delete', gone.slug)).toMatchObject({ code: 'usage' })
    expect(await rowsOf(gone.id)).toEqual(before)

    expect(await admin.json('tenant', 'delete', gone.slug, '--yes')).toMatchObject({ id: gone.id })
    expect(Object.values(await rowsOf(gone.id)).every((count) => count === 0)).toBe(true)
    expect(await rowsOf(stays.id)).toEqual(before)
    expect(await admin.error('tenant', 'show', gone.slug)).toMatchObject({ code: 'not_found' })
  })
})
