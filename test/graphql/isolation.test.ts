// An analyst of one company reaches nothing of another's: through the schema, with every
// list that there is, and in SQL as the analysts' own role, with whatever settings.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  type Ask,
  type TestGraphql,
  asAnalyst,
  createAnalyst,
  createTestGraphql,
  fillYear,
} from '../setup/analytics.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'
import { fillEveryTable } from '../setup/every_table.ts'

let db: TestDatabase
let graphql: TestGraphql
let ours: Tenant
let theirs: Tenant
let token: string
let ask: Ask
let views: { name: string; tenant: string }[]

beforeAll(async () => {
  db = await createDatabase()
  ours = await createTenant(db)
  theirs = await createTenant(db)
  await fillYear(db, ours, 1)
  await fillYear(db, theirs, 2)
  const bystander = await createTenant(db)
  await fillEveryTable(db, bystander)
  graphql = await createTestGraphql(db)
  token = await createAnalyst(db, [ours])
  ask = graphql.ask(token)
  const { rows } = await db.owner.query(`
    select
      format('analytics.%I', relname) as name,
      case relname when 'tenants' then 'id' else 'tenant_id' end as tenant
    from pg_class
    where relnamespace = 'analytics'::regnamespace
      and exists (
        select from pg_attribute
        where attrelid = pg_class.oid and (attname = 'tenant_id' or relname = 'tenants')
      )
    order by relname`)
  views = rows
})
afterAll(async () => {
  await graphql.close()
  await db.close()
})

describe('through the schema, an analyst of one tenant', () => {
  const connections = async (): Promise<string[]> => {
    const { data } = await ask('{ __schema { queryType { fields { name type { name } } } } }')
    return data.__schema.queryType.fields
      .filter((field: any) => field.type.name?.endsWith('Connection'))
      .map((field: any) => field.name)
  }

  it('can see rows of its tenant in every list, and of no other', async () => {
    const lists = await connections()
    expect(lists.length).toBe(views.length)
    for (const list of lists) {
      const tenant = list === 'tenants' ? 'id' : 'tenantId'
      const { data, errors } = await ask(`{ list: ${list}(first: 1000) { totalCount nodes { ${tenant} } } }`)
      expect({ list, errors }).toEqual({ list, errors: undefined })
      const seen = new Set(data.list.nodes.map((row: any) => row[tenant]))
      // Nobody configured coverage or fees in that year.
      const isEmpty = ['appraisers', 'coverageAreas', 'fees'].includes(list)
      expect({ list, seen: [...seen] }).toEqual({ list, seen: isEmpty ? [] : [ours.id] })
      expect(data.list.totalCount).toBe(data.list.nodes.length)
    }
  })

  it('can NOT read a row of another tenant by its id, or its number in an aggregate', async () => {
    const { rows } = await db.owner.query('select id, fee from app.quotes where tenant_id = $1 and fee is not null', [
      theirs.id,
    ])
    const { data } = await ask(
      `query ($id: UUID!, $tenant: UUID!) {
        quote(id: $id) { id }
        product(tenantId: $tenant, code: "URAR") { name }
        quotes(filter: { tenantId: { equalTo: $tenant } }) { totalCount aggregates { max { fee } } }
      }`,
      { variables: { id: rows[0].id, tenant: theirs.id } },
    )
    expect(data).toEqual({
      quote: null,
      product: null,
      quotes: { totalCount: 0, aggregates: { max: { fee: null } } },
    })
  })

  it('can NOT change anything', async () => {
    const { data } = await ask('{ __schema { mutationType { name } subscriptionType { name } } }')
    expect(data.__schema).toEqual({ mutationType: null, subscriptionType: null })
    const { status, errors } = await ask('mutation { __typename }')
    expect({ status, code: errors?.[0].extensions.code }).toEqual({ status: 400, code: 'only_queries' })
  })
})

describe('in SQL, svc_analyst', () => {
  it('can read every view, and in it its own tenant alone', async () => {
    await asAnalyst(db, token, async (query) => {
      for (const { name, tenant } of views) {
        const rows = await query(`select distinct ${tenant} as tenant from ${name}`)
        expect({ name, others: rows.filter((row) => row.tenant !== ours.id) }).toEqual({ name, others: [] })
      }
    })
  })

  const forgeries: Record<string, () => [string, string][]> = {
    'no setting': () => [],
    'a digest that nobody has': () => [['svc.analyst_digest', 'ab'.repeat(32)]],
    'a tenant as digest': () => [['svc.analyst_digest', theirs.id]],
    'an API key as digest': () => [['svc.analyst_digest', theirs.key]],
    'settings of other roles': () => [
      ['svc.office_tenant', theirs.id],
      ['svc.tenant_id', theirs.id],
      ['svc.key_digest', 'cd'.repeat(32)],
    ],
    'no row-level security': () => [['row_security', 'off']],
  }

  it.each(Object.keys(forgeries))('can NOT read anything with %s', async (forgery) => {
    const client = await db.as('analyst').connect()
    try {
      await client.query('begin')
      for (const [name, value] of forgeries[forgery]?.() ?? []) {
        await client.query('select set_config($1, $2, true)', [name, value])
      }
      for (const { name } of views) {
        const seen = await client
          .query(`savepoint attempt; select from ${name}`)
          .then((result: any) => result[1].rowCount, (error) => error.code)
        if (typeof seen === 'string') await client.query('rollback to savepoint attempt')
        expect({ name, seen }).toEqual({ name, seen: forgery === 'no row-level security' ? '42501' : 0 })
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  it('can NOT name the tables, call the office or the API, or become another role', async () => {
    const attempts = [
      'select from app.quotes',
      'select from outbox.endpoints',
      'select from auth.analyst_tokens',
      'select from auth.api_keys',
      'select from graphile_worker._private_jobs',
      `select office.enter('${theirs.id}')`,
      `select auth.enter('\\x00')`,
      `select auth.record_usage('[]')`,
      'select api.read_identity(null)',
      'set role svc_owner',
      'set role svc_api',
      'set session authorization svc_api',
    ]
    for (const sql of attempts) {
      const code = await db.as('analyst').query(sql).then(() => 'allowed', (error) => error.code)
      expect({ sql, code }).toEqual({ sql, code: '42501' })
    }
  })

  it('can NOT write, even where it turns its read-only transactions off', async () => {
    const client = await db.as('analyst').connect()
    try {
      await client.query('set default_transaction_read_only = off')
      for (const { name } of views) {
        for (const sql of [`delete from ${name}`, `insert into ${name} default values`]) {
          const code = await client.query(sql).then(() => 'allowed', (error) => error.code)
          // 55000: a view with groups takes no rows from anybody.
          expect({ sql, code }).toEqual({ sql, code: expect.stringMatching(/^(42501|55000)$/) })
        }
      }
      const made = await client.query('create table analytics.mine ()').then(() => 'allowed', (error) => error.code)
      expect(made).toBe('42501')
    } finally {
      client.release(true)
    }
  })
})

describe('the analytics schema', () => {
  it('has only views that run with the rights of who asks', async () => {
    const { rows } = await db.owner.query(`
      select relname from pg_class
      where relnamespace = 'analytics'::regnamespace
        and (relkind <> 'v' or not coalesce(reloptions @> array['security_invoker=true'], false))`)
    expect(rows).toEqual([])
  })

  it('works out the tenants of a token once for each table of a statement, and can use an index', async () => {
    await asAnalyst(db, token, async (query) => {
      const plan = async (sql: string): Promise<string> =>
        (await query(`explain ${sql}`)).map((row) => row['QUERY PLAN']).join('\n')
      for (const { name } of views) {
        const text = await plan(`select * from ${name}`)
        expect({ name, plans: text.match(/^ *InitPlan/gm)?.length, perRow: /analyst_tenant_ids/.test(text) }).toEqual(
          { name, plans: 1, perRow: false },
        )
      }
      await query('set local enable_seqscan = off')
      await query('set local enable_bitmapscan = off')
      expect(await plan('select count(*) from analytics.quotes')).toMatch(
        /Index Only Scan[^]*Index Cond: \(tenant_id = ANY \(\(InitPlan 1\)/,
      )
    })
  })
})
