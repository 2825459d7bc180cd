// Search finds by two ways, a walk along the names and an index of runs of letters.
// Whichever is taken, it finds what a plain look through the names would.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type pg from 'pg'
import {
  type Tenant,
  type TestDatabase,
  createDatabase,
  createTenant,
  digestOf,
} from '../setup/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createDatabase()
})
afterAll(() => db.close())

async function tenantWith(names: string[]): Promise<Tenant> {
  const tenant = await createTenant(db)
  await db.owner.query(
    `insert into app.organizations (tenant_id, name, client_type)
    select $1, name, 'lender' from unnest($2::text[]) as name`,
    [tenant.id, names],
  )
  return tenant
}

/** The names behind the ids that an expression gives, with a tenant's key in force. */
async function found(tenant: Tenant, expression: string, values: unknown[]): Promise<string[]> {
  const client: pg.PoolClient = await db.owner.connect()
  try {
    await client.query('begin')
    await client.query('select auth.enter($1)', [digestOf(tenant.key)])
    const { rows } = await client.query<{ name: string }>(
      `select organizations.name
      from unnest(${expression}) with ordinality as hit (id, position)
      inner join app.organizations on organizations.id = hit.id
      order by hit.position`,
      values,
    )
    return rows.map(({ name }) => name)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const byName = (names: string[]) =>
  names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))

describe('both ways', () => {
  // No two names that differ in case alone: their order is that of their ids.
  const letter = fc.constantFrom('a', 'B', 'é', '%', '_', '\\', ' ', '&', '銀', '\u{1F3E0}', '\x1f', '\n')
  const word = (maxLength: number) => fc.string({ unit: letter, minLength: 1, maxLength })
  const names = fc.uniqueArray(word(7), {
    minLength: 1,
    maxLength: 40,
    selector: (name) => name.toLowerCase(),
  })

  it('find the names that contain a text, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(names, fc.array(word(4), { minLength: 1, maxLength: 6 }), async (all, texts) => {
        const tenant = await tenantWith(all)
        for (const q of texts.map((text) => text.toLowerCase())) {
          const expected = byName(all).filter((name) => name.toLowerCase().includes(q))
          expect(await found(tenant, 'app.walk_names($1, null, 100, 1000)', [q])).toEqual(expected)
          expect(await found(tenant, 'app.look_up_names($1, null, 100)', [q])).toEqual(expected)
          expect(await found(tenant, 'app.search_organizations($1, null, 100, 0)', [q])).toEqual(expected)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('find nothing of another tenant', async () => {
    await tenantWith(['Theirs'])
    const ours = await tenantWith(['Ours'])
    for (const way of ['app.walk_names($1, null, 9, 9)', 'app.look_up_names($1, null, 9)']) {
      expect(await found(ours, way, ['rs'])).toEqual(['Ours'])
    }
  })
})

describe('in a directory longer than a walk', () => {
  let tenant: Tenant
  const length = 25_000
  const name = (index: number) => `Name ${String(index).padStart(5, '0')}${index % 10 ? '' : ' tenth'}`
  const all = [...Array.from({ length }, (_, index) => name(index)), 'Zz Rare', 'zz tenth']
  beforeAll(async () => {
    tenant = await tenantWith(all)
  })

  const expected = (q: string, limit: number, offset: number) =>
    byName(all.filter((one) => one.toLowerCase().includes(q))).slice(offset, offset + limit)

  it.each([
    ['a rare text', 'rare', 50, 0],
    ['two letters', 'zz', 50, 0],
    ['one letter', 'z', 50, 0],
    ['a text that is nowhere', 'nowhere', 50, 0],
    ['a frequent text', 'name', 50, 0],
    ['a frequent text, far on', 'name', 50, 10_000],
    ['a text met often enough on a longer walk', 'tenth', 50, 2400],
    ['the last of a frequent text', 'tenth', 50, 2480],
    ['what comes after the last', 'tenth', 50, 2600],
    ['a number late in the order', '2499', 50, 0],
  ])('finds %s', async (_, q, limit, offset) => {
    const ids = 'app.search_organizations($1, null, $2, $3)'
    expect(await found(tenant, ids, [q, limit, offset])).toEqual(expected(q, limit, offset))
  })

  it('lists without a text as far as an offset goes', async () => {
    const ids = 'app.search_organizations(null, null, 101, 10000)'
    expect(await found(tenant, ids, [])).toEqual(byName(all).slice(10_000, 10_101))
  })
})

describe('svc_search', () => {
  it('can NOT log in, write or read more than a search needs', async () => {
    const { rows } = await db.owner.query(
      `select rolcanlogin, rolbypassrls, rolsuper from pg_roles where rolname = 'svc_search'`,
    )
    expect(rows).toEqual([{ rolcanlogin: false, rolbypassrls: false, rolsuper: false }])
    const { rows: rights } = await db.owner.query(
      `select table_schema, table_name, column_name, privilege_type
      from information_schema.column_privileges
      where grantee = 'svc_search'
      order by column_name`,
    )
    expect(rights).toEqual(
      ['client_type', 'id', 'name_key', 'tenant_id'].map((column_name) => ({
        table_schema: 'app',
        table_name: 'organizations',
        column_name,
        privilege_type: 'SELECT',
      })),
    )
  })

  it('lends nothing to who has no key', async () => {
    await tenantWith(['Alpha'])
    const { rows } = await db.as('api').query(
      'select app.search_organizations(null, null, 100, 0) as ids',
    )
    expect(rows).toEqual([{ ids: [] }])
  })
})
