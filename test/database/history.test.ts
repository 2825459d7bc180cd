// Who changed what: keys, analysts' tokens, webhook endpoints, tenants and quotes' offers
// leave a row in audit.changes, without secrets, that nobody can take back.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'
import { fillEveryTable } from '../setup/every_table.ts'

let db: TestDatabase
let tenant: Tenant

beforeAll(async () => {
  db = await createDatabase()
  tenant = await createTenant(db)
  await fillEveryTable(db, tenant)
})
afterAll(() => db.close())

const administrator = (): string => new URL(db.urls.owner).username

type Change = {
  tenant_id: string
  table_name: string
  row_id: string
  operation: string
  changed_columns: string[] | null
  old_row: Record<string, unknown> | null
  new_row: Record<string, unknown> | null
  login_role: string
  acting_role: string
}

/** The history of a table's row, the newest first. */
async function history(table: string, rowId: string): Promise<Change[]> {
  const { rows } = await db.as('auditor').query<Change>(
    'select * from audit.changes where table_name = $1 and row_id = $2 order by id desc',
    [table, rowId],
  )
  return rows
}

async function idOf(statement: string, ...values: unknown[]): Promise<string> {
  const { rows } = await db.owner.query<{ id: string }>(statement, values)
  return rows[0]?.id ?? ''
}

describe('an API key', () => {
  it('leaves when it was made, changed and removed, from what to what', async () => {
    const id = await idOf(
      `insert into auth.api_keys (tenant_id, name, prefix, digest, scopes, environment)
      values ($1, 'ci', 'svc_test_abcd', sha256('one'), '{quotes:read}', 'test') returning id`,
      tenant.id,
    )
    await db.owner.query(`update auth.api_keys set scopes = '{orders:read}', revoked_at = now() where id = $1`, [id])
    await db.owner.query('delete from auth.api_keys where id = $1', [id])

    const [removed, changed, made] = await history('auth.api_keys', id)
    expect(made).toMatchObject({
      tenant_id: tenant.id,
      operation: 'insert',
      login_role: administrator(),
      changed_columns: null,
      old_row: null,
      new_row: { name: 'ci', scopes: ['quotes:read'], revoked_at: null },
    })
    expect(changed).toMatchObject({
      operation: 'update',
      changed_columns: ['revoked_at', 'scopes'],
      old_row: { scopes: ['quotes:read'], revoked_at: null },
      new_row: { scopes: ['orders:read'], revoked_at: expect.any(String) },
    })
    expect(removed).toMatchObject({ operation: 'delete', old_row: { name: 'ci' }, new_row: null })
  })

  it('leaves that its digest changed, and no digest', async () => {
    const id = await idOf('select id from auth.api_keys where tenant_id = $1', tenant.id)
    await db.owner.query(`update auth.api_keys set digest = sha256('two') where id = $1`, [id])
    const [changed] = await history('auth.api_keys', id)
    expect(changed).toMatchObject({ changed_columns: ['digest'] })
    expect(Object.keys({ ...changed?.old_row, ...changed?.new_row })).not.toContain('digest')
  })

  it('leaves nothing when nothing changed', async () => {
    const id = await idOf('select id from auth.api_keys where tenant_id = $1', tenant.id)
    const before = await history('auth.api_keys', id)
    await db.owner.query('update auth.api_keys set name = name where id = $1', [id])
    expect(await history('auth.api_keys', id)).toEqual(before)
  })
})

describe('an analyst\'s token', () => {
  it('leaves itself for the whole deployment, and its tenants for each', async () => {
    const id = await idOf(
      `insert into auth.analyst_tokens (name, prefix, digest)
      values ('dana', 'svc_analyst_abcd', sha256('three')) returning id`,
    )
    await db.owner.query('insert into auth.analyst_token_tenants (token_id, tenant_id) values ($1, $2)', [id, tenant.id])
    expect(await history('auth.analyst_tokens', id)).toMatchObject([
      { tenant_id: '00000000-0000-0000-0000-000000000000', new_row: { name: 'dana' } },
    ])
    expect(await history('auth.analyst_token_tenants', id)).toMatchObject([{ tenant_id: tenant.id, operation: 'insert' }])
  })
})

describe('a webhook endpoint', () => {
  it('leaves what the operator did and that the worker disabled it, not when it failed', async () => {
    const id = await idOf(
      `insert into outbox.endpoints (tenant_id, url, event_types, secret)
      values ($1, 'https://example.com', '{quote.created}', '\\x01') returning id`,
      tenant.id,
    )
    const worker = db.as('worker')
    await worker.query('update outbox.endpoints set failing_since = now() where id = $1', [id])
    await worker.query(`update outbox.endpoints set disabled_at = now(), disabled_reason = 'gone' where id = $1`, [id])
    await db.owner.query(`update outbox.endpoints set secret = '\\x02' where id = $1`, [id])

    const changes = await history('outbox.endpoints', id)
    expect(changes).toMatchObject([
      { login_role: administrator(), changed_columns: ['secret'] },
      { login_role: 'svc_worker', changed_columns: ['disabled_at', 'disabled_reason'] },
      { operation: 'insert', new_row: { url: 'https://example.com' } },
    ])
    expect(JSON.stringify(changes)).not.toMatch(/\\\\x0|"secret":/)
  })
})

describe('a quote', () => {
  it('leaves what the office offered, and nothing of the client', async () => {
    const id = await idOf('select id from app.quotes where tenant_id = $1', tenant.id)
    const client = await db.as('office').connect()
    try {
      await client.query('begin')
      await client.query('select office.enter($1)', [tenant.id])
      await client.query(`update app.quotes set status = 'sent', fee = 450, turnaround_days = 5 where id = $1`, [id])
      await client.query('commit')
    } finally {
      client.release()
    }
    expect(await history('app.quotes', id)).toMatchObject([
      {
        tenant_id: tenant.id,
        login_role: 'svc_office',
        changed_columns: ['fee', 'status', 'turnaround_days'],
        old_row: { status: 'open', fee: null, turnaround_days: null },
        new_row: { status: 'sent', fee: 450, turnaround_days: 5 },
      },
    ])
    const [change] = await history('app.quotes', id)
    expect(Object.keys(change?.new_row ?? {}).sort()).toEqual(['fee', 'status', 'turnaround_days'])
  })
})

describe('a tenant', () => {
  it('leaves its history when it goes', async () => {
    const gone = await createTenant(db)
    await db.owner.query('delete from app.tenants where id = $1', [gone.id])
    const { rows } = await db.as('auditor').query<Change>(
      'select table_name, operation from audit.changes where tenant_id = $1 order by id',
      [gone.id],
    )
    expect(rows.map(({ table_name, operation }) => `${operation} ${table_name}`).sort()).toEqual([
      'delete app.tenants',
      'delete auth.api_keys',
      'insert app.tenants',
      'insert auth.api_keys',
    ])
  })
})

describe('the role that was set', () => {
  it('stands beside the login', async () => {
    const id = await idOf(`insert into app.tenants (slug, name) values ('watched', 'W') returning id`)
    const client = await db.owner.connect()
    try {
      await client.query('begin')
      await client.query('create role planted_deputy bypassrls')
      await client.query('grant usage on schema app to planted_deputy')
      await client.query('grant select, update on app.tenants to planted_deputy')
      await client.query('set local role planted_deputy')
      await client.query(`update app.tenants set name = 'V' where id = $1`, [id])
      await client.query('reset role')
      const { rows } = await client.query<Change>(
        `select * from audit.changes where row_id = $1 and operation = 'update'`,
        [id],
      )
      expect(rows).toMatchObject([{ login_role: administrator(), acting_role: 'planted_deputy' }])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})

describe('history', () => {
  it.each(['owner', 'api', 'worker', 'office', 'analyst', 'auditor'] as const)(
    'can NOT be changed, removed or made up by %s',
    async (role) => {
      for (const statement of [
        `update audit.changes set login_role = 'nobody'`,
        'delete from audit.changes',
        'truncate audit.changes',
        ...(role === 'owner'
          ? ['set session_replication_role = replica; delete from audit.changes']
          : [`insert into audit.changes (tenant_id, table_name, operation)
              values ('${tenant.id}', 'app.quotes', 'update')`]),
      ]) {
        // 25006: an analyst's transactions are read only to begin with.
        const code = role === 'analyst' ? /^(42501|25006)$/ : /^42501$/
        await expect(db.as(role).query(statement)).rejects.toMatchObject({
          code: expect.stringMatching(code),
        })
      }
    },
  )

  it('can NOT be read by the office beyond its own tenant', async () => {
    const other = await createTenant(db)
    const client = await db.as('office').connect()
    try {
      await client.query('begin')
      await client.query('select office.enter($1)', [tenant.id])
      const { rows } = await client.query<Change>('select distinct tenant_id from audit.changes')
      expect(rows).toEqual([{ tenant_id: tenant.id }])
      expect(other.id).not.toBe(tenant.id)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  it('keeps that a table was emptied', async () => {
    const client = await db.owner.connect()
    try {
      await client.query('begin')
      await client.query('truncate auth.api_keys cascade')
      const { rows } = await client.query<Change>(
        `select table_name, row_id, old_row from audit.changes where operation = 'truncate'`,
      )
      expect(rows).toEqual([{ table_name: 'auth.api_keys', row_id: null, old_row: null }])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
