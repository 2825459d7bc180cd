// Rows of a query for a spreadsheet.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'csv-parse/sync'
import { type Ask, type TestGraphql, createAnalyst, createTestGraphql } from '../setup/analytics.ts'
import { createProducts } from '../setup/catalogue.ts'
import { type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'

let db: TestDatabase
let graphql: TestGraphql
let ask: Ask

const references = [
  'plain',
  'with "quotes", and a comma',
  'two\nlines',
  '=HYPERLINK("http://evil.example","click")',
  '+1',
  '-2+3',
  '@SUM(1,2)',
  '\t=1',
  ' =1',
  '-12.50',
  'Doña Ana',
]

beforeAll(async () => {
  db = await createDatabase()
  const tenant = await createTenant(db)
  await createProducts(db, tenant)
  for (const [index, reference] of references.entries()) {
    await db.owner.query(
      `insert into app.quotes (
        tenant_id, product_code, subject_line1, subject_state, subject_county, client_name,
        client_email, external_reference, fee, created_at
      ) values ($1, $2, '1 Main St', $3, 'Kern', 'Jane', 'jane@example.com', $4, $5, $6)`,
      [
        tenant.id,
        index % 2 ? 'OLD' : 'URAR',
        index % 3 ? 'CA' : 'TX',
        reference,
        index === 0 ? null : 100 + index,
        new Date(Date.UTC(2026, 9, 1 + index)),
      ],
    )
  }
  graphql = await createTestGraphql(db)
  ask = graphql.ask(await createAnalyst(db, [tenant]))
})
afterAll(async () => {
  await graphql.close()
  await db.close()
})

const csv = { headers: { Accept: 'text/csv' } }

describe('text/csv', () => {
  it('has the columns that were asked for, in their order, one line a row', async () => {
    const { status, headers, text } = await ask(
      `{ quotes(orderBy: CREATED_AT_ASC, first: 2) {
        nodes { reference: externalReference fee product { name } state __typename closedAt }
      } }`,
      csv,
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(headers.get('content-disposition')).toBe('attachment; filename="quotes.csv"')
    expect(text).toBe(
      'reference,fee,product.name,state,closedAt\r\n' +
        'plain,,Single family,TX,\r\n' +
        '"with ""quotes"", and a comma",101.00,No longer offered,CA,\r\n',
    )
  })

  it('is read back as it was, with formulas made harmless', async () => {
    const { text } = await ask('{ quotes(orderBy: CREATED_AT_ASC) { nodes { externalReference } } }', csv)
    const read = parse(text).slice(1).flat()
    expect(read).toEqual(
      references.map((reference) => (/^\s*[=+@]|^-2/.test(reference) ? `'${reference}` : reference)),
    )
  })

  it('names groups by what they are grouped by', async () => {
    const query = `query ($by: [QuoteGroupBy!]!) {
      quotes { groupedAggregates(groupBy: $by) { count keys sum { fee } } }
    }`
    const { text } = await ask(query, {
      path: '/graphql?format=csv',
      variables: { by: ['STATE', 'CREATED_AT_TRUNCATED_TO_MONTH'] },
    })
    expect(text).toBe(
      'count,state,created_at_truncated_to_month,sum.fee\r\n' +
        '7,CA,2026-10-01,737.00\r\n' +
        '4,TX,2026-10-01,318.00\r\n',
    )
  })

  it('takes edges, fragments and directives', async () => {
    const { text } = await ask(
      `query ($more: Boolean!) {
        quotes(first: 1, orderBy: CREATED_AT_ASC) { edges { cursor node { ...row fee @include(if: $more) } } }
      }
      fragment row on Quote { state ... on Quote { productCode } }`,
      { ...csv, variables: { more: false } },
    )
    expect(text).toBe('state,productCode\r\nTX,URAR\r\n')
  })

  it('takes the defaults of variables', async () => {
    const { text } = await ask(
      `query ($more: Boolean! = false, $by: [QuoteGroupBy!]! = [SOURCE]) {
        quotes { groupedAggregates(groupBy: $by) { keys count distinctCount @include(if: $more) { id } } }
      }`,
      csv,
    )
    expect(text).toBe('source,count\r\napi,11\r\n')
  })

  it('has its header when there is no row', async () => {
    const { text } = await ask('{ leads { nodes { id organization { name } } } }', csv)
    expect(text).toBe('id,organization.name\r\n')
  })

  it.each([
    '{ quotes { nodes { id } } leads { nodes { id } } }',
    '{ quotes { nodes { id } groupedAggregates(groupBy: [STATE]) { keys } } }',
    '{ quotes { totalCount } }',
    '{ products { nodes { code quotes { nodes { id } } } } }',
  ])('is refused, in JSON, when the query is not one list: %s', async (query) => {
    const { status, headers, errors } = await ask(query, csv)
    expect(status).toBe(400)
    expect(headers.get('content-type')).toMatch(/json/)
    expect(errors?.[0].extensions.request_id).toBe(headers.get('x-request-id'))
  })

  it('is JSON, too, when the query failed or nobody may ask', async () => {
    const failed = await ask('{ quotes(filter: { createdAt: { lessThan: "x" } }) { nodes { id } } }', csv)
    expect({ status: failed.status, code: failed.errors?.[0].extensions.code }).toEqual({
      status: 400,
      code: 'invalid_value',
    })
    expect((await ask('{ quotes { nodes { id } } }', { ...csv, token: null })).status).toBe(401)
  })

  it('is not what a browser or a program gets that didn\'t ask for it', async () => {
    const { headers } = await ask('{ quotes { nodes { id } } }', { headers: { Accept: '*/*' } })
    expect(headers.get('content-type')).toMatch(/json/)
  })
})
