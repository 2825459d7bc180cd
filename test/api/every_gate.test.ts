// Each gate before each operation, and what happens behind them when the database is
// gone or broken. Rules have their tests by resource; that nothing documented is left
// out is checked after a whole run (test/setup/reached.ts).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { endpoints } from '../../src/api/index.ts'
import { publicEndpoints } from '../../src/api/service.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { openApiDocument } from '../../src/http/openapi.ts'
import { type Request, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createKey } from '../setup/database.ts'
import { named, pathOf } from '../setup/endpoints.ts'

const document = JSON.parse(JSON.stringify(openApiDocument()))

let api: TestApi
beforeAll(async () => {
  api = await createApi()
})
afterAll(() => api.close())

/** Sends an endpoint the example of its body, or what takes its place. */
function sendTo(target: TestApi, endpoint: Endpoint, request: Request = {}, query = '') {
  const content = document.paths[`/public/v1${endpoint.path}`][endpoint.method].requestBody?.content
  const body = content?.['application/json']?.example
  return target.send(endpoint.method.toUpperCase(), pathOf(endpoint) + query, {
    ...(body && request.raw === undefined ? { body } : {}),
    ...request,
    headers: { ...(endpoint.isIdempotent ? freshKey() : {}), ...request.headers },
  })
}

const refused = (status: number, code: string) => ({ status, body: { code } })
const json = { 'Content-Type': 'application/json' }

describe.each(named(endpoints))('%s', (_operation, endpoint) => {
  it('answers 401 without a key', async () => {
    expect(await sendTo(api, endpoint, { key: '' })).toMatchObject(refused(401, 'unauthorized'))
  })

  it('answers 422 to a parameter that it does not know', async () => {
    const answer = await sendTo(api, endpoint, {}, '?unknown=1')
    expect(answer).toMatchObject(refused(422, 'validation_error'))
    expect(answer.body.detail).toContainEqual({
      loc: ['query', 'unknown'],
      msg: expect.any(String),
      type: 'extra_forbidden',
    })
  })
})

describe.each(named(endpoints.filter(({ scope }) => scope !== null)))('%s', (_name, endpoint) => {
  it('answers 403 to a key without its scope', async () => {
    const key = await createKey(api.db, api.tenant.id, { scopes: [] })
    expect(await sendTo(api, endpoint, { key })).toMatchObject(refused(403, 'insufficient_scope'))
  })
})

describe.each(named(endpoints.filter(({ body }) => body)))('%s', (_operation, endpoint) => {
  it('answers 415, 413 and 400 to what is not JSON of its size', async () => {
    const text = { headers: { 'Content-Type': 'text/plain' }, raw: '{}' }
    expect(await sendTo(api, endpoint, text)).toMatchObject(refused(415, 'unsupported_media_type'))
    const big = { headers: json, raw: ' '.repeat(5 * 1024 * 1024 + 1) }
    expect(await sendTo(api, endpoint, big)).toMatchObject(refused(413, 'payload_too_large'))
    const broken = { headers: json, raw: '{' }
    expect(await sendTo(api, endpoint, broken)).toMatchObject(refused(400, 'invalid_json'))
  })
})

describe.each(named(endpoints.filter(({ isIdempotent }) => isIdempotent)))('%s', (_name, endpoint) => {
  it('answers 400 without a usable Idempotency-Key', async () => {
    const without = (value: string) => ({ headers: { 'Idempotency-Key': value } })
    expect(await sendTo(api, endpoint, without(''))).toMatchObject(
      refused(400, 'idempotency_key_required'),
    )
    expect(await sendTo(api, endpoint, without('a b'))).toMatchObject(
      refused(400, 'idempotency_key_invalid'),
    )
  })
})

describe.each(publicEndpoints.map(({ operation, path }) => [operation, path]))('%s', (_name, path) => {
  it('answers 422 to any parameter', async () => {
    const answer = await api.send('GET', `${path}?a=1`, { key: '' })
    expect(answer).toMatchObject(refused(422, 'validation_error'))
  })
})

describe('429', () => {
  let limited: TestApi
  beforeAll(async () => {
    limited = await createApi({ db: api.db, perMinute: 1 })
    await limited.send('GET', '/me')
  })
  afterAll(() => limited.close())

  it.each(named(endpoints))('%s, when the key has asked too often', async (_name, endpoint) => {
    expect(await sendTo(limited, endpoint)).toMatchObject(refused(429, 'rate_limited'))
  })
})

describe('503', () => {
  let cut: TestApi
  beforeAll(async () => {
    const url = new URL(api.db.urls.api)
    url.port = '1'
    cut = await createApi({ db: api.db, apiUrl: url.href })
  })
  afterAll(() => cut.close())

  it.each(named(endpoints))('%s, when the database cannot be reached', async (_name, endpoint) => {
    expect(await sendTo(cut, endpoint)).toMatchObject(refused(503, 'service_unavailable'))
  })
})

describe('500', () => {
  let broken: TestApi
  beforeAll(async () => {
    broken = await createApi()
    const functions = endpoints.map(({ call }) => call.function)
    const { rows } = await broken.db.owner.query<{ signature: string }>(
      `select oid::regprocedure::text as signature
      from pg_proc
      where pronamespace::regnamespace || '.' || proname = any ($1)`,
      [functions],
    )
    for (const [index, { signature }] of rows.entries()) {
      await broken.db.owner.query(`alter function ${signature} rename to broken_${index}`)
    }
  })
  afterAll(() => broken.close())

  it.each(named(endpoints))('%s, when its function is broken', async (_name, endpoint) => {
    // A look-up passes its schema only with what it looks for.
    const query = endpoint.operation.startsWith('find_') ? '?external_reference=a' : ''
    expect(await sendTo(broken, endpoint, {}, query)).toMatchObject(refused(500, 'internal_error'))
  })
})
