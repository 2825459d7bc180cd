// Whose key it was is in the line of each request whose key was ever found good, also when
// its very first request is refused, by whichever gate.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { makeKey } from '../../src/api_key.ts'
import { type Request, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { quoteRequest } from '../setup/catalogue.ts'
import { createKey, createTenant, digestOf } from '../setup/database.ts'

let api: TestApi
const perMinute = 4
const chunks: string[] = []

beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (chunk: string) => void chunks.push(chunk) })
  api = await createApi({ log, perMinute })
})
beforeEach(() => {
  chunks.length = 0
})
afterAll(() => api.close())

/** Sends a request and gives its log line, which is written once the answer is out. */
async function lineOf(method: string, path: string, request: Request): Promise<unknown> {
  const { headers } = await api.send(method, path, request)
  for (;;) {
    const lines = chunks.map((chunk) => JSON.parse(chunk) as Record<string, unknown>)
    const line = lines.find((record) => record['request_id'] === headers.get('x-request-id'))
    if (line) return { status: line['status'], tenant: line['tenant'] }
    await new Promise(setImmediate)
  }
}

const unknownQuote = '/quotes/00000000-0000-7000-8000-000000000000'

describe('the line has the tenant', () => {
  it.each<[number, string, string, string, Request]>([
    [200, 'nothing', 'GET', '/me', {}],
    [400, 'the headers', 'POST', '/quotes', { body: quoteRequest() }],
    [403, 'the scope', 'GET', '/leads', {}],
    [403, 'the scope, the schema failing too', 'POST', '/leads', { headers: freshKey(), body: {} }],
    [404, 'a rule', 'GET', unknownQuote, {}],
    [422, 'the schema', 'POST', '/quotes', { headers: freshKey(), body: {} }],
  ])('of a first request that is answered %i by %s', async (status, _by, method, path, request) => {
    const tenant = await createTenant(api.db)
    const key = await createKey(api.db, tenant.id, { scopes: ['quotes:read', 'quotes:write'] })
    expect(await lineOf(method, path, { key, ...request })).toEqual({ status, tenant: tenant.id })
  })

  it('of a request past the limit', async () => {
    const { id, key } = await createTenant(api.db)
    for (let sent = 0; sent < perMinute; sent += 1) await api.send('GET', '/me', { key })
    expect(await lineOf('GET', '/me', { key })).toEqual({ status: 429, tenant: id })
  })

  it('of a key that was good and is revoked', async () => {
    const { id, key } = await createTenant(api.db)
    await api.send('GET', '/me', { key })
    await api.db.owner.query('update auth.api_keys set revoked_at = now() where digest = $1', [digestOf(key)])
    expect(await lineOf('GET', '/me', { key })).toEqual({ status: 401, tenant: id })
  })
})

describe('the line has NO tenant', () => {
  it('of a key that nobody knows', async () => {
    const { key } = makeKey('test')
    expect(await lineOf('GET', '/me', { key })).toEqual({ status: 401, tenant: undefined })
  })
})
