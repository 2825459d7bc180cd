// What a request may look like: headers, size, syntax, and the form of body, query and
// path. What holds for all operations is tried on all of them.
import { request as httpRequest } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { endpoints } from '../../src/api/index.ts'
import { type Request, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'
import { aUuid, named, pathOf } from '../setup/endpoints.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
  await createProducts(api.db, api.tenant)
})
afterAll(() => api.close())

const json = { 'Content-Type': 'application/json' }
const mebibyte = 1024 * 1024

/** JSON of a coverage check, filled up with white space to a number of bytes. */
const coverageOf = (bytes: number): string => {
  const text = '{"state":"CA","county":"Kern"'
  return `${text}${' '.repeat(bytes - text.length - 1)}}`
}

const post = (path: string, request: Request) => api.send('POST', path, request)
const check = (raw: string | Uint8Array, headers: Record<string, string> = json) =>
  post('/coverage/check', { raw, headers })

const withBody = named(endpoints.filter(({ body }) => body))

describe('400 idempotency_key', () => {
  const quote = (key: string) =>
    post('/quotes', { headers: { 'Idempotency-Key': key }, body: quoteRequest() })

  it.each(['', ' ', '""', '" "'])('_required when it is empty: %j', async (key) => {
    const code = key === '" "' ? 'idempotency_key_invalid' : 'idempotency_key_required'
    expect(await quote(key)).toMatchObject({ status: 400, body: { code } })
  })

  it('_required when it is missing', async () => {
    const answer = await post('/quotes', { body: quoteRequest() })
    expect(answer).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
  })

  it.each(['a b', 'a\tb', 'é', 'x'.repeat(256), `"${'x'.repeat(256)}"`])(
    '_invalid unless it is 1 to 255 visible ASCII characters: %s',
    async (key) => {
      expect(await quote(key)).toMatchObject({
        status: 400,
        body: { code: 'idempotency_key_invalid' },
      })
    },
  )

  it.each(['x', '!~', 'x'.repeat(255), `"${'y'.repeat(255)}"`])('takes %s', async (key) => {
    expect(await quote(key)).toMatchObject({ status: 201 })
  })

  it.each(named(endpoints.filter(({ isIdempotent }) => isIdempotent)))(
    '_required by %s before it looks at the body',
    async (_name, endpoint) => {
      const answer = await post(pathOf(endpoint), { raw: '{', headers: {} })
      expect(answer).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
    },
  )
})

describe('415', () => {
  it.each([
    'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a',
    'application/jsonp', 'application/problem+json', 'json', 'text/json',
    'application/json; charset=iso-8859-1', 'application/json; charset=utf-16',
  ])('refuses %s', async (type) => {
    expect(await check('{"state":"CA","county":"Kern"}', { 'Content-Type': type })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    })
  })

  it('refuses a body without a type', async () => {
    const raw = Buffer.from('{"state":"CA","county":"Kern"}')
    expect(await post('/coverage/check', { raw })).toMatchObject({ status: 415 })
  })

  it.each([
    'application/json', 'Application/JSON', 'application/json;charset=utf-8',
    'application/json; charset="UTF-8"', 'application/json; charset=utf8; v=1',
  ])('takes %s', async (type) => {
    const answer = await check('{"state":"CA","county":"Kern"}', { 'Content-Type': type })
    expect(answer.status).toBe(200)
  })

  it('refuses an encoding that it can\'t undo', async () => {
    const answer = await check('{}', { ...json, 'Content-Encoding': 'compress' })
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })

  it.each(withBody)('holds for %s', async (_name, endpoint) => {
    const answer = await api.send(endpoint.method.toUpperCase(), pathOf(endpoint), {
      headers: { ...freshKey(), 'Content-Type': 'text/plain' },
      raw: '{}',
    })
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })
})

describe('413', () => {
  it('takes a body of 5 MiB to the byte', async () => {
    expect(await check(coverageOf(5 * mebibyte))).toMatchObject({ status: 200 })
  })

  it.each([5 * mebibyte + 1, 20 * mebibyte])('refuses a body of %i bytes', async (bytes) => {
    expect(await check(coverageOf(bytes))).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    })
  })

  it('refuses a body that comes in chunks and never says how long it is', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(
        `${api.url}/public/v1/coverage/check`,
        { method: 'POST', headers: { ...json, 'X-SVC-Api-Key': api.tenant.key } },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
      request.on('error', reject)
      for (let i = 0; i < 6; i += 1) request.write(Buffer.alloc(mebibyte, ' '))
      request.end()
    })
    expect(status).toBe(413)
  })

  it('counts a compressed body as what it becomes', async () => {
    const send = (bytes: number) =>
      check(gzipSync(coverageOf(bytes)), { ...json, 'Content-Encoding': 'gzip' })
    expect(await send(5 * mebibyte)).toMatchObject({ status: 200 })
    expect(await send(5 * mebibyte + 1)).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    })
  })
})

describe('a compressed body', () => {
  const body = '{"state":"CA","county":"Kern"}'

  it.each([
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
    ['identity', Buffer.from(body)],
  ])('is read: %s', async (encoding, raw) => {
    expect(await check(raw, { ...json, 'Content-Encoding': encoding })).toMatchObject({
      status: 200,
    })
  })

  it('is 400 invalid_json when it is not what it says', async () => {
    expect(await check(Buffer.from(body), { ...json, 'Content-Encoding': 'gzip' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_json' },
    })
  })
})

describe('400 invalid_json', () => {
  it.each([
    '{', '{"state":"CA",}', "{'state':'CA'}", '{"state":"CA"}{}', 'state=CA', '{"a":01}',
    '{"a":NaN}', '{"a":"\t"}', '{"a":"\\x"}', '\ufeff{}', '  ', '// no\n{}',
    `{"a":${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}}`,
  ])('refuses what is not JSON: %.40s', async (raw) => {
    expect(await check(raw)).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
  })

  it.each([
    ['a lone byte', [0x22, 0xff, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ])('refuses what is not UTF-8: %s', async (_name, bytes) => {
    expect(await check(Uint8Array.from(bytes))).toMatchObject({
      status: 400,
      body: { code: 'invalid_json' },
    })
  })
})

describe('422 for the body as a whole', () => {
  it.each([
    ['', 'missing'],
    ['null', 'object_type'],
    ['[]', 'object_type'],
    ['"text"', 'object_type'],
    ['1', 'object_type'],
    ['true', 'object_type'],
    ['12345678901234567890', 'object_type'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'object_type'],
  ])('refuses %.20s', async (raw, type) => {
    expect(await check(raw)).toMatchObject({
      status: 422,
      body: { code: 'validation_error', detail: [{ loc: ['body'], type }] },
    })
  })

  it.each(withBody)('is the rule of %s', async (_name, endpoint) => {
    for (const raw of ['', '[]', 'null']) {
      const answer = await api.send(endpoint.method.toUpperCase(), pathOf(endpoint), {
        headers: { ...freshKey(), ...json },
        raw,
      })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'] }] } })
    }
  })

  it.each(withBody)('and unknown fields, by %s', async (_name, endpoint) => {
    for (const name of ['unknown', '__proto__', 'constructor', 'tenant_id']) {
      const answer = await api.send(endpoint.method.toUpperCase(), pathOf(endpoint), {
        headers: { ...freshKey(), ...json },
        raw: `{${JSON.stringify(name)}:{"a":1}}`,
      })
      expect(answer.status).toBe(422)
      expect(answer.body.detail).toContainEqual({
        loc: ['body', name],
        msg: expect.any(String),
        type: 'extra_forbidden',
      })
    }
  })
})

describe('422 for the query', () => {
  const readable = named(endpoints.filter(({ method }) => method === 'get'))

  it.each(readable)('refuses an unknown parameter of %s', async (_name, endpoint) => {
    for (const name of ['unknown', '__proto__', 'toString']) {
      const answer = await api.send('GET', `${pathOf(endpoint)}?${name}=1`)
      expect(answer.status).toBe(422)
      expect(answer.body.detail).toContainEqual({
        loc: ['query', name],
        msg: expect.any(String),
        type: 'extra_forbidden',
      })
    }
  })

  it.each(named(endpoints.filter(({ query }) => query)))(
    'refuses a repeated parameter of %s',
    async (_name, endpoint) => {
      const [name = ''] = Object.keys(endpoint.query?.shape ?? {})
      for (const query of [`${name}=a&${name}=b`, `${name}=a&${name}=a`, `${name}=&${name}=a`]) {
        const answer = await api.send('GET', `${pathOf(endpoint)}?${query}`)
        expect(answer.status).toBe(422)
        expect(answer.body.detail).toContainEqual({
          loc: ['query', name],
          msg: expect.any(String),
          type: 'repeated',
        })
      }
    },
  )

  it('takes an empty parameter for none, known or not', async () => {
    expect((await api.send('GET', '/me?')).status).toBe(200)
    expect(await api.send('GET', '/quotes?external_reference=')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'external_reference'], type: 'missing' }] },
    })
  })
})

describe('422 for the path', () => {
  const withId = named(endpoints.filter(({ path_parameters }) => path_parameters))

  it.each(withId.filter(([, { method }]) => method === 'get'))(
    'refuses an id of %s that is no UUID',
    async (_name, endpoint) => {
      const name = /\{(\w+)\}/.exec(endpoint.path)?.[1] ?? ''
      const almost = [`${aUuid}0`, aUuid.slice(1), `{${aUuid}}`, aUuid.replaceAll('-', '')]
      for (const id of ['1', 'x', `urn:uuid:${aUuid}`, '%00', '%20', ...almost]) {
        const answer = await api.send('GET', endpoint.path.replace(`{${name}}`, id))
        expect([id, answer.status]).toEqual([id, 422])
        expect(answer.body.detail).toMatchObject([{ loc: ['path', name], type: 'guid_format' }])
      }
    },
  )

  it('takes a UUID in capital letters', async () => {
    const answer = await api.send('GET', `/quotes/${aUuid.toUpperCase()}`)
    expect(answer.status).toBe(404)
  })
})
