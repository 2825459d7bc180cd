// Tenants are apart: every tenant table × every command × every login, from the
// catalogue, so that a table added tomorrow is tested without being named.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type pg from 'pg'
import {
  type Tenant,
  type TestDatabase,
  createDatabase,
  createTenant,
  digestOf,
} from '../setup/database.ts'
import { fillEveryTable } from '../setup/every_table.ts'

let db: TestDatabase
let ours: Tenant
let theirs: Tenant
let tables: string[]

beforeAll(async () => {
  db = await createDatabase()
  ours = await createTenant(db)
  theirs = await createTenant(db)
  await fillEveryTable(db, ours)
  await fillEveryTable(db, theirs)
  tables = await tenantTables()
})
afterAll(() => db.close())

async function tenantTables(): Promise<string[]> {
  const { rows } = await db.owner.query<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name
    from information_schema.columns
    where table_schema = 'app' and column_name = 'tenant_id'
    order by name`)
  return rows.map((row) => row.name)
}

/** Runs work in a transaction that is rolled back, after entering with our key. */
async function entered<T>(
  role: 'api' | 'office',
  tenant: Tenant,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await db.as(role).connect()
  try {
    await client.query('begin')
    await (role === 'api'
      ? client.query('select auth.enter($1)', [digestOf(tenant.key)])
      : client.query('select office.enter($1)', [tenant.id]))
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Rows that a statement touched; 'denied' when the role may not even try. */
async function outcome(
  client: pg.PoolClient,
  sql: string,
  values: unknown[] = [],
): Promise<number | 'denied'> {
  await client.query('savepoint attempt')
  try {
    return (await client.query(sql, values)).rowCount ?? 0
  } catch (error) {
    const { code } = error as { code: string }
    if (code !== '42501') throw error
    await client.query('rollback to savepoint attempt')
    return 'denied'
  }
}

async function insertableColumns(table: string): Promise<string> {
  const { rows } = await db.owner.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns
    from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return rows[0]?.columns ?? ''
}

describe('every tenant table', () => {
  it('has a row of each tenant for these tests to reach for', async () => {
    for (const table of tables) {
      const { rows } = await db.owner.query<{ tenants: string }>(
        `select count(distinct tenant_id) as tenants from ${table}`,
      )
      expect({ table, tenants: rows[0]?.tenants }).toEqual({ table, tenants: '2' })
    }
  })

  it('has row-level security enabled and forced', async () => {
    const { rows } = await db.owner.query(`
      select relname
      from pg_class
      where relnamespace = 'app'::regnamespace and relkind in ('r', 'p')
        and not (relrowsecurity and relforcerowsecurity)`)
    expect(rows).toEqual([])
  })
})

describe.each(['api', 'office'] as const)('svc_%s with our tenant in force', (role) => {
  it('can NOT select their rows', async () => {
    await entered(role, ours, async (client) => {
      for (const table of tables) {
        const touched = await outcome(client, `select from ${table} where tenant_id = $1`, [theirs.id])
        expect([0, 'denied']).toContain(touched)
      }
    })
  })

  it('can select its own rows where it may read at all', async () => {
    const seen = await entered(role, ours, async (client) => {
      const counts = []
      for (const table of tables) counts.push(await outcome(client, `select from ${table}`))
      return counts
    })
    expect(seen.filter((count) => count === 1).length).toBeGreaterThan(5)
    expect(seen.every((count) => count === 1 || count === 'denied')).toBe(true)
  })

  it('can NOT update their rows, or give its own away', async () => {
    await entered(role, ours, async (client) => {
      for (const table of tables) {
        const taken = await outcome(client, `update ${table} set tenant_id = $1 where tenant_id = $2`, [
          ours.id,
          theirs.id,
        ])
        expect([0, 'denied']).toContain(taken)
        const given = await outcome(client, `update ${table} set tenant_id = $1`, [theirs.id])
        expect({ table, given }).toEqual({ table, given: 'denied' })
      }
    })
  })

  it('can NOT delete their rows', async () => {
    await entered(role, ours, async (client) => {
      for (const table of tables) {
        const touched = await outcome(client, `delete from ${table} where tenant_id = $1`, [theirs.id])
        expect([0, 'denied']).toContain(touched)
      }
    })
  })

  it('can NOT insert a row for them', async () => {
    for (const table of tables) {
      const columns = await insertableColumns(table)
      const { rows } = await db.owner.query<{ row: string }>(
        `select to_jsonb(t) as row from ${table} as t where tenant_id = $1 limit 1`,
        [theirs.id],
      )
      await entered(role, ours, async (client) => {
        const touched = await outcome(
          client,
          `insert into ${table} (${columns})
          select ${columns} from jsonb_populate_record(null::${table}, $1)`,
          [JSON.stringify(rows[0]?.row)],
        )
        expect({ table, touched }).toEqual({ table, touched: 'denied' })
      })
    }
  })

  it('can NOT truncate any table', async () => {
    await entered(role, ours, async (client) => {
      for (const table of tables) {
        expect(await outcome(client, `truncate ${table} cascade`)).toBe('denied')
      }
    })
  })
})

describe('svc_api with every setting forged', () => {
  const forgeries = (): string[] => [
    `set svc.key_digest = '${ours.id}'`,
    `set svc.key_digest = ''`,
    `set svc.key_digest = '${'0'.repeat(64)}'`,
    `set svc.key_digest = '${ours.key}'`,
    `set svc.key_digest = ''' or true --'`,
    `set svc.office_tenant = '${ours.id}'`,
    `set svc.tenant_id = '${ours.id}'`,
    `set app.tenant_id = '${ours.id}'`,
    `set row_security = on`,
    `set search_path = app, auth`,
    `set session_replication_role = replica`,
    `set role svc_owner`,
    `set role svc_office`,
    `set session authorization postgres`,
    `select auth.enter('\\x00')`,
    `select auth.enter(null)`,
  ]

  it('sees no row of any tenant without that tenant\'s key', async () => {
    const client = await db.as('api').connect()
    try {
      for (const forgery of forgeries()) {
        await client.query(forgery).catch(() => undefined)
        for (const table of [...tables, 'app.tenants']) {
          const seen = await client.query(`select from ${table}`).then(
            (result) => result.rowCount,
            (error: { code: string }) => error.code,
          )
          expect({ forgery, table, seen: seen === '42501' ? 0 : seen }).toEqual({
            forgery,
            table,
            seen: 0,
          })
        }
      }
    } finally {
      client.release(true)
    }
  })

  it('gets an error, not rows, when it turns row security off', async () => {
    const client = await db.as('api').connect()
    try {
      await client.query('set row_security = off')
      await expect(client.query('select from app.quotes')).rejects.toMatchObject({ code: '42501' })
    } finally {
      client.release(true)
    }
  })

  it('can NOT read keys, tokens, webhook secrets or jobs', async () => {
    const { rows } = await db.owner.query<{ name: string }>(`
      select format('%I.%I', schemaname, tablename) as name
      from pg_tables
      where schemaname in ('auth', 'outbox', 'graphile_worker')`)
    expect(rows.length).toBeGreaterThan(5)
    for (const { name } of rows) {
      await expect(db.as('api').query(`select from ${name}`)).rejects.toMatchObject({ code: '42501' })
    }
  })

  it('leaves nothing in force after its transaction', async () => {
    const client = await db.as('api').connect()
    try {
      await client.query('select auth.enter($1)', [digestOf(ours.key)])
      expect((await client.query('select from app.quotes')).rowCount).toBe(0)
    } finally {
      client.release()
    }
  })
})

describe('svc_worker', () => {
  it('can NOT touch a business table', async () => {
    for (const table of [...tables, 'app.tenants']) {
      await expect(db.as('worker').query(`select from ${table}`)).rejects.toMatchObject({
        code: '42501',
      })
    }
  })
})

describe('a revoked or expired key', () => {
  it.each(['revoked_at', 'expires_at'])('shows nothing from the moment of %s', async (column) => {
    const tenant = await createTenant(db)
    await db.owner.query(`update auth.api_keys set ${column} = now() where tenant_id = $1`, [tenant.id])
    await expect(
      db.as('api').query('select auth.enter($1)', [digestOf(tenant.key)]),
    ).rejects.toMatchObject({ code: 'PT401', constraint: 'unauthorized' })
  })
})
