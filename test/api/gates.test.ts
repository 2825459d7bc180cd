// The gates before every operation, in their order: each refuses before those behind it
// look at the request. And what every answer has in common.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { makeKey } from '../../src/api_key.ts'
import { type Request, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'
import { createKey } from '../setup/database.ts'

let api: TestApi
/** A valid key without any scope. */
let bare: string

beforeAll(async () => {
  api = await createApi()
  await createProducts(api.db, api.tenant)
  bare = await createKey(api.db, api.tenant.id, { scopes: [] })
})
afterAll(() => api.close())

describe('the order of gates', () => {
  const json = { 'Content-Type': 'application/json' }
  const text = { 'Content-Type': 'text/plain' }
  const tooBig = '{'.padEnd(5 * 1024 * 1024 + 1, 'x')
  const key = makeKey('test').key
  const ready = () => ({ ...freshKey(), ...json })
  const post = (request: Request): [string, string, Request] => ['POST', '/quotes?x=1', request]

  // Each request also breaks every gate behind the one that it is named for.
  const requests: [string, number, string, () => [string, string, Request]][] = [
    ['address', 404, 'not_found', () => ['POST', '/quote', { key, headers: text, raw: tooBig }]],
    [
      'method',
      405,
      'method_not_allowed',
      () => ['PUT', '/quotes', { key, headers: text, raw: tooBig }],
    ],
    ['key', 401, 'unauthorized', () => post({ key, headers: text, raw: tooBig })],
    ['scope', 403, 'insufficient_scope', () => post({ key: bare, headers: text, raw: tooBig })],
    [
      'Idempotency-Key',
      400,
      'idempotency_key_required',
      () => post({ headers: text, raw: tooBig }),
    ],
    [
      'Content-Type',
      415,
      'unsupported_media_type',
      () => post({ headers: { ...freshKey(), ...text }, raw: tooBig }),
    ],
    ['size', 413, 'payload_too_large', () => post({ headers: ready(), raw: tooBig })],
    ['syntax', 400, 'invalid_json', () => post({ headers: ready(), raw: '{"product_code":1' })],
    [
      'schema',
      422,
      'validation_error',
      () => post({ headers: ready(), raw: '{"product_code":"NONE"}' }),
    ],
    [
      'rules',
      404,
      'not_found',
      () => ['POST', '/quotes', { headers: ready(), body: quoteRequest({ product_code: 'NONE' }) }],
    ],
  ]

  it.each(requests)('stops at the %s with %i %s', async (_gate, status, code, request) => {
    expect(await api.send(...request())).toMatchObject({ status, body: { code } })
  })

  it('names every fault of the schema at once, wherever it is', async () => {
    const answer = await api.send('POST', '/quotes?x=1', {
      headers: ready(),
      body: { product_code: 'NONE', extra: 1 },
    })
    const places = answer.body.detail.map((fault: { loc: unknown[] }) => fault.loc.join('.'))
    expect(places.toSorted((a: string, b: string) => (a < b ? -1 : 1))).toEqual([
      'body.client', 'body.extra', 'body.subject', 'query.x',
    ])
  })
})

describe('every answer', () => {
  it.each([
    ['GET', '/me', 200],
    ['GET', '/nowhere', 404],
    ['DELETE', '/me', 405],
    ['GET', '/quotes/x', 422],
    ['GET', '/health', 200],
  ])('has the caller\'s X-Request-Id: %s %s', async (method, path, status) => {
    const answer = await api.send(method, path, { headers: { 'X-Request-Id': 'Trace_1.a-b' } })
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, 'Trace_1.a-b'])
    if (status >= 400) expect(answer.body.request_id).toBe('Trace_1.a-b')
  })

  it.each(['a', 'x'.repeat(128)])('keeps an id of 1 to 128 characters: %s', async (id) => {
    const { headers } = await api.send('GET', '/health', { headers: { 'X-Request-Id': id } })
    expect(headers.get('x-request-id')).toBe(id)
  })

  it.each(['', 'x'.repeat(129), 'a b', 'a/b', 'é', '<script>'])(
    'has an id of its own instead of "%s"',
    async (id) => {
      const { headers } = await api.send('GET', '/health', { headers: { 'X-Request-Id': id } })
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  it('has another id each time', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await api.send('GET', '/health')).headers.get('x-request-id'),
      ),
    )
    expect(new Set(ids).size).toBe(20)
  })

  it('is kept by no cache, and names no software', async () => {
    const { headers } = await api.send('GET', '/me')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect([headers.get('x-powered-by'), headers.get('server')]).toEqual([null, null])
  })
})

describe('the envelope', () => {
  it('is code, message and request_id', async () => {
    const answer = await api.send('GET', '/nowhere')
    expect(answer.body).toEqual({
      code: 'not_found',
      message: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
    })
  })

  it('has detail when the request is not valid', async () => {
    const answer = await api.send('GET', '/quotes')
    expect(answer.body).toEqual({
      code: 'validation_error',
      message: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
      detail: [{ loc: ['query', 'external_reference'], msg: expect.any(String), type: 'missing' }],
    })
  })
})

describe('404', () => {
  it.each([
    '/', '/quotes/', '/Quotes', '/me/more', '/quotes/1/2/3', '/health/', '//me', '/me%2F',
    '/quotes/%zz', '/quotes/%E0%A4%A', '/../v1/nothing', '/openapi.yaml',
  ])('answers an address that is none: %s', async (path) => {
    expect(await api.send('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('answers outside of /public/v1, too, and asks no key for it', async () => {
    for (const path of ['/public', '/public/v2/me', '/graphql', '/metrics', '/livez']) {
      const answer = await fetch(api.url + path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.json()).toMatchObject({
        code: 'not_found',
        request_id: answer.headers.get('x-request-id'),
      })
    }
  })
})

describe('405', () => {
  it.each([
    ['/health', 'POST', 'GET, HEAD'],
    ['/openapi.json', 'DELETE', 'GET, HEAD'],
    ['/me', 'POST', 'GET, HEAD'],
    ['/coverage/check', 'GET', 'POST'],
    ['/coverage/check', 'HEAD', 'POST'],
    ['/coverage/check', 'OPTIONS', 'POST'],
    ['/quotes', 'PATCH', 'POST, GET, HEAD'],
    ['/quotes/1', 'PUT', 'GET, HEAD'],
    ['/orders', 'POST', 'GET, HEAD'],
  ])('%s answers %s with Allow: %s, without a key', async (path, method, allow) => {
    const answer = await api.send(method, path, { key: '' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
    if (method !== 'HEAD') expect(answer.body).toMatchObject({ code: 'method_not_allowed' })
  })
})

describe('HEAD', () => {
  it.each([
    ['/health', 200],
    ['/me', 200],
    ['/orders', 400],
    ['/quotes/1', 422],
  ])('answers %s like GET, without a body', async (path, status) => {
    const [head, get] = [await api.send('HEAD', path), await api.send('GET', path)]
    expect([head.status, get.status, head.text]).toEqual([status, status, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    if (status === 200) {
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    }
  })
})
