import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestApi, createApi } from '../setup/api.ts'
import { createKey, createTenant } from '../setup/database.ts'
import { createLender, createOrder } from '../setup/orders.ts'

let api: TestApi
let client: string
let lender: string

beforeAll(async () => {
  api = await createApi()
  client = await createLender(api.db, api.tenant, 'First Bank')
  lender = await createLender(api.db, api.tenant, 'Second Bank')
})
afterAll(() => api.close())

const order = (columns: Record<string, string | null> & { order_number: string }) =>
  createOrder(api.db, api.tenant, { engaging_client_id: client, ...columns })

const list = (query: string) => api.send('GET', `/orders?${query}`)

const numbers = (answer: { body: { items: { order_number: string }[] } }) =>
  answer.body.items.map((item) => item.order_number)

describe('GET /orders/{id} 200', () => {
  it('shows every field of a full order and nothing else', async () => {
    const id = await order({
      order_number: 'FULL-1',
      status: 'delivered',
      channel: 'portal',
      due_date: '2026-03-09',
      fee: '1450.5',
      loan_number: 'L-77',
      client_tracking_number: 'T-77',
      property_address: '1 Oak Ave',
      property_city: 'Pasadena',
      property_state: 'CA',
      property_postal: '91101',
      property_county: 'Los Angeles',
      lender_id: lender,
      updated_at: '2026-02-03T04:05:06.789+02:00',
    })
    const answer = await api.send('GET', `/orders/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id,
      order_number: 'FULL-1',
      status: 'delivered',
      channel: 'portal',
      due_date: '2026-03-09',
      fee: '1450.50',
      loan_number: 'L-77',
      client_tracking_number: 'T-77',
      property_address: '1 Oak Ave',
      property_city: 'Pasadena',
      property_state: 'CA',
      property_postal: '91101',
      property_county: 'Los Angeles',
      engaging_client_id: client,
      lender_id: lender,
      updated_at: '2026-02-03T02:05:06.789Z',
    })
  })

  it('shows null for what the office left empty', async () => {
    const id = await order({ order_number: 'BARE-1', updated_at: '2026-01-01T00:00:00Z' })
    const answer = await api.send('GET', `/orders/${id.toUpperCase()}`)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      id,
      order_number: 'BARE-1',
      status: 'scheduling',
      channel: 'direct',
      due_date: null,
      fee: null,
      loan_number: null,
      client_tracking_number: null,
      property_address: '12 Main St',
      property_city: null,
      property_state: null,
      property_postal: null,
      property_county: null,
      engaging_client_id: client,
      lender_id: null,
      updated_at: '2026-01-01T00:00:00.000Z',
    })
  })
})

describe('GET /orders/{id} 403', () => {
  it('needs orders:read', async () => {
    const key = await createKey(api.db, api.tenant.id, { scopes: ['quotes:read'] })
    const answer = await api.send('GET', `/orders/${randomUUID()}`, { key })
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })
})

describe('GET /orders/{id} 404', () => {
  it('knows no other id', async () => {
    const answer = await api.send('GET', `/orders/${randomUUID()}`)
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('answers for another company\'s order as for one that never was', async () => {
    const id = await order({ order_number: 'OURS-1' })
    const { key } = await createTenant(api.db)
    const answer = await api.send('GET', `/orders/${id}`, { key })
    const unknown = await api.send('GET', `/orders/${randomUUID()}`, { key })
    expect(answer.status).toBe(404)
    expect({ ...answer.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  })
})

describe('GET /orders/{id} 422', () => {
  it('refuses an id that is no UUID', async () => {
    const answer = await api.send('GET', '/orders/FULL-1')
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      code: 'validation_error',
      detail: [{ loc: ['path', 'id'], type: 'guid_format' }],
    })
  })
})

describe('GET /orders 200', () => {
  it('gives the whole record in each item', async () => {
    const id = await order({ order_number: 'ITEM-1', fee: '10', due_date: '2026-12-31' })
    const read = await api.send('GET', `/orders/${id}`)
    const answer = await list('order_number=ITEM-1')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ items: [read.body], limit: 20, has_more: false })
  })

  it('gives an empty list when nothing fits', async () => {
    const answer = await list('loan_number=NOBODY')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ items: [], limit: 20, has_more: false })
  })

  it.each([
    ['order_number=AND-1', ['AND-1']],
    ['loan_number=AND-L', ['AND-2', 'AND-1']],
    ['client_tracking_number=AND-T', ['AND-3', 'AND-1']],
    ['loan_number=AND-L&client_tracking_number=AND-T', ['AND-1']],
    ['order_number=AND-2&client_tracking_number=AND-T', []],
    ['order_number=AND-1&loan_number=AND-L&client_tracking_number=AND-T', ['AND-1']],
    ['loan_number=%20AND-L%20', ['AND-2', 'AND-1']],
    ['order_number=&loan_number=AND-L', ['AND-2', 'AND-1']],
    ['loan_number=and-l', []],
    ['loan_number=AND', []],
    ['loan_number=AND%25', []],
    ['loan_number=AND_L', []],
  ])('combines filters with AND and compares exactly: %s', async (query, expected) => {
    await sampleForFilters()
    expect(numbers(await list(query))).toEqual(expected)
  })

  it('lists the latest change first, then the later id', async () => {
    const loan = { loan_number: 'SORT' }
    await order({ ...loan, order_number: 'S-a', updated_at: '2026-01-02T00:00:00Z' })
    await order({ ...loan, order_number: 'S-b', updated_at: '2026-01-03T00:00:00Z' })
    await order({ ...loan, order_number: 'S-c', updated_at: '2026-01-01T00:00:00Z' })
    await order({ ...loan, order_number: 'S-d', updated_at: '2026-01-02T00:00:00Z' })
    expect(numbers(await list('loan_number=SORT'))).toEqual(['S-b', 'S-d', 'S-a', 'S-c'])
    expect(numbers(await list('loan_number=SORT&limit=2'))).toEqual(['S-b', 'S-d'])
  })

  it.each([
    ['', 20, 20, true],
    ['&limit=', 20, 20, true],
    ['&limit=1', 1, 1, true],
    ['&limit=49', 49, 49, true],
    ['&limit=50', 50, 50, true],
  ])('pages 51 orders with "%s"', async (query, limit, count, hasMore) => {
    await fiftyOne()
    const answer = await list(`loan_number=MANY${query}`)
    expect(answer.body).toMatchObject({ limit, has_more: hasMore })
    expect(answer.body.items).toHaveLength(count)
  })

  it('says that there are no more when the page is just full', async () => {
    await sampleForFilters()
    const answer = await list('loan_number=AND-L&limit=2')
    expect(answer.body).toMatchObject({ limit: 2, has_more: false })
    expect(answer.body.items).toHaveLength(2)
  })

  it('never lists another company\'s order', async () => {
    const other = await createTenant(api.db)
    const theirs = await createLender(api.db, other, 'First Bank')
    await createOrder(api.db, other, {
      order_number: 'SHARED',
      engaging_client_id: theirs,
    })
    expect(numbers(await list('order_number=SHARED'))).toEqual([])
    await order({ order_number: 'SHARED' })
    const answer = await list('order_number=SHARED')
    expect(answer.body.items).toMatchObject([{ engaging_client_id: client }])
  })
})

describe('GET /orders 400', () => {
  it.each(['', 'limit=5', 'order_number=', 'loan_number=%20&client_tracking_number='])(
    'wants one of the three filters: "%s"',
    async (query) => {
      const answer = await list(query)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        code: 'missing_filter',
        message: expect.any(String),
        request_id: answer.headers.get('x-request-id'),
      })
    },
  )
})

describe('GET /orders 403', () => {
  it('needs orders:read, before it looks at the filters', async () => {
    const key = await createKey(api.db, api.tenant.id, { scopes: ['quotes:read'] })
    const answer = await api.send('GET', '/orders?limit=0', { key })
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })
})

describe('GET /orders 422', () => {
  it.each([
    ['limit=0', 'limit', 'int_range'],
    ['order_number=A&limit=51', 'limit', 'int_range'],
    ['order_number=A&limit=-1', 'limit', 'int_range'],
    ['order_number=A&limit=1.5', 'limit', 'int_range'],
    ['order_number=A&limit=ten', 'limit', 'int_range'],
    ['order_number=A&limit=99999999999', 'limit', 'int_range'],
    ['order_number=A&offset=1', 'offset', 'extra_forbidden'],
    ['order_number=A&order_number=B', 'order_number', 'repeated'],
    [`loan_number=${'x'.repeat(121)}`, 'loan_number', 'string_too_long'],
    ['client_tracking_number=a%00b', 'client_tracking_number', 'string_characters'],
  ])('refuses %s', async (query, name, type) => {
    const answer = await list(query)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      code: 'validation_error',
      detail: [{ loc: ['query', name], type }],
    })
  })

  it('takes 120 characters, beyond the basic plane, too', async () => {
    expect(await list(`loan_number=${encodeURIComponent('\u{1f3e0}'.repeat(120))}`)).toMatchObject({
      status: 200,
    })
  })
})

let filters: Promise<unknown> | undefined
const sampleForFilters = () =>
  (filters ??= Promise.all([
    order({
      order_number: 'AND-1',
      loan_number: 'AND-L',
      client_tracking_number: 'AND-T',
      updated_at: '2026-01-01T00:00:00Z',
    }),
    order({ order_number: 'AND-2', loan_number: 'AND-L', updated_at: '2026-01-02T00:00:00Z' }),
    order({
      order_number: 'AND-3',
      client_tracking_number: 'AND-T',
      updated_at: '2026-01-03T00:00:00Z',
    }),
  ]))

let many: Promise<unknown> | undefined
const fiftyOne = () =>
  (many ??= Promise.all(
    Array.from({ length: 51 }, (_, index) =>
      order({ order_number: `MANY-${index}`, loan_number: 'MANY' }),
    ),
  ))
