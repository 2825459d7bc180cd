// Nothing personal and no secret reaches an analyst: not by name, in introspection, and
// not by value, in what the schema answers or in any column that svc_analyst may read.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { getIntrospectionQuery } from 'graphql'
import { type Ask, type TestGraphql, asAnalyst, createAnalyst, createTestGraphql, fillYear } from '../setup/analytics.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'

let db: TestDatabase
let graphql: TestGraphql
let ours: Tenant
let token: string
let ask: Ask

beforeAll(async () => {
  db = await createDatabase()
  ours = await createTenant(db)
  await fillYear(db, ours, 1)
  await db.owner.query(`insert into app.appraisers (tenant_id, external_reference, name) values ($1, 'A', 'Anna Appraiser')`, [ours.id])
  graphql = await createTestGraphql(db)
  token = await createAnalyst(db, [ours])
  ask = graphql.ask(token)
})
afterAll(async () => {
  await graphql.close()
  await db.close()
})

// What fillYear plants where nobody should find it.
const planted =
  /Clara|Borrower|Connie|Paula|Olga|Lena|Anna|secret|555-01|Gate code|LOAN-|5ec2e7|svc_test_|svc_analyst_/i

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_all, letter) => letter.toUpperCase())

/** Columns of every table that svc_analyst may read, and those it may not. */
async function columns(isReadable: boolean): Promise<{ relation: string; name: string }[]> {
  const { rows } = await db.owner.query(
    `select attrelid::regclass::text as relation, attname as name
    from pg_attribute
    inner join pg_class on pg_class.oid = attrelid
    where relnamespace in ('app'::regnamespace, 'auth'::regnamespace, 'outbox'::regnamespace)
      and relkind in ('r', 'p') and attnum > 0 and not attisdropped
      and has_column_privilege('svc_analyst', attrelid, attnum, 'select') = $1
    order by 1, 2`,
    [isReadable],
  )
  return rows
}

const wordsOf = (rule: string): string[] => [...rule.matchAll(/'(\w+)'/g)].map(([, word = '']) => word)

type Type = { kind: string; name: string; fields: { name: string; type: any }[] | null; inputFields: any[] | null }

async function types(): Promise<Type[]> {
  const { data } = await ask(getIntrospectionQuery())
  return data.__schema.types.filter((type: Type) => !type.name.startsWith('__'))
}

describe('introspection', () => {
  it('has no field named like a column that analysts may not read', async () => {
    const readable = new Set((await columns(true)).map(({ name }) => name))
    const forbidden = (await columns(false)).map(({ name }) => name).filter((name) => !readable.has(name))
    // The list comes from the catalogue; these are here so that it can't come out empty.
    expect(forbidden).toEqual(
      expect.arrayContaining([
        'client_email', 'client_name', 'client_phone', 'borrower_name', 'notes', 'subject_line1',
        'loan_number', 'display_name', 'email', 'phone', 'digest', 'secret', 'url', 'title', 'metadata',
      ]),
    )
    const fields = (await types()).flatMap((type) => [...(type.fields ?? []), ...(type.inputFields ?? [])])
    const shown = new Set(fields.map((field) => field.name.toLowerCase()))
    expect(forbidden.filter((name) => shown.has(camelCase(name).toLowerCase()))).toEqual([])
  })

  it('documents each list and its fields with the comments of its view', async () => {
    const { rows } = await db.owner.query(`
      select relname, obj_description(oid) as comment, attname,
        col_description(pg_class.oid, attnum) as column_comment
      from pg_class inner join pg_attribute on attrelid = pg_class.oid and attnum > 0
      where relnamespace = 'analytics'::regnamespace and reltype <> 0
        and not exists (select from pg_attribute as a where a.attrelid = pg_class.oid and a.attname = 'value')`)
    expect(rows.filter((row) => !row.comment)).toEqual([])
    const text = JSON.stringify((await ask(getIntrospectionQuery())).data)
    for (const comment of new Set(rows.flatMap((row) => [row.comment, row.column_comment]))) {
      const words = text.replaceAll('\\n', ' ')
      const isShown = !comment || words.includes(JSON.stringify(comment).slice(1, -1))
      expect({ comment, isShown }).toEqual({ comment, isShown: true })
    }
  })

  it('gives every list of values as an enum, with the values that the tables allow', async () => {
    const { rows } = await db.owner.query(`
      select conname, pg_get_constraintdef(oid) as rule from pg_constraint
      where conname in ('quotes_status_check', 'quotes_source_check', 'organizations_client_type_check', 'leads_stage_check')
      order by conname`)
    const allowed = rows.map(({ rule }) => wordsOf(rule).sort())
    const all = await types()
    const shown = ['LeadStage', 'ClientType', 'QuoteSource', 'QuoteStatus'].map((name) => {
      const { enumValues } = all.find((type) => type.name === name) as unknown as { enumValues: any[] }
      expect(enumValues.every((value) => value.description)).toBe(true)
      const names: string[] = enumValues.map((value) => value.name)
      return names.sort()
    })
    expect(shown).toEqual(allowed)
  })
})

describe('what was planted in a tenant\'s personal columns', () => {
  it('is in the tables', async () => {
    const { rows } = await db.owner.query('select client_email, notes from app.quotes where tenant_id = $1 limit 1', [ours.id])
    expect(rows[0].client_email).toMatch(planted)
  })

  it('is in no answer of any list, with every field that it has', async () => {
    const all = await types()
    const named = (name: string) => all.find((type) => type.name === name)
    const leaf = (type: any): boolean => (type.ofType ? leaf(type.ofType) : ['SCALAR', 'ENUM'].includes(type.kind))
    const lists = (named('Query')?.fields ?? []).filter((field) => field.type.name?.endsWith('Connection'))
    expect(lists.length).toBeGreaterThan(10)
    for (const list of lists) {
      const row = named(list.type.name.replace(/Connection$/, ''))
      const fields = row?.fields?.filter((field) => leaf(field.type)).map((field) => field.name)
      const { text, errors } = await ask(`{ ${list.name}(first: 1000) { nodes { ${fields?.join(' ')} } } }`)
      expect({ list: list.name, errors }).toEqual({ list: list.name, errors: undefined })
      expect(text).not.toMatch(planted)
    }
  })

  it('is in no column that svc_analyst may read, of any table', async () => {
    for (const { relation, name } of await columns(true)) {
      const { rows } = await db.owner.query(`select distinct ${name}::text as value from ${relation}`)
      expect({ relation, name, found: rows.filter((row) => planted.test(row.value ?? '')) }).toEqual({
        relation, name, found: [],
      })
    }
  })

  it('is in no view of analytics', async () => {
    await asAnalyst(db, token, async (query) => {
      const views = await query(`select oid::regclass::text as name from pg_class where relnamespace = 'analytics'::regnamespace`)
      expect(views.length).toBeGreaterThan(10)
      for (const { name } of views) {
        expect(JSON.stringify(await query(`select * from ${name}`))).not.toMatch(planted)
      }
    })
  })
})
