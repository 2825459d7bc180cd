import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as z from 'zod'
import { Webhook } from 'standardwebhooks'
import { readFunctionFiles } from '../../db/compile.ts'
import { readApiErrors, readOutcomes, readRaises } from '../../db/errors.ts'
import { endpoints } from '../../src/api/index.ts'
import { publicEndpoints } from '../../src/api/service.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { errorCodes } from '../../src/http/error_codes.ts'
import { basePath, openApiDocument } from '../../src/http/openapi.ts'
import { refusalsOf } from '../../src/http/refusals.ts'
import { eventTypes } from '../../src/webhooks/events.ts'
import { type Answer, type TestApi, createApi } from '../setup/api.ts'
import { named } from '../setup/endpoints.ts'
import { requireDocumented } from '../setup/openapi.ts'
import { unreached } from '../setup/reached.ts'

let api: TestApi
let served: any
beforeAll(async () => {
  api = await createApi()
  served = (await api.send('GET', '/openapi.json', { key: '' })).body
})
afterAll(() => api.close())

const document = JSON.parse(JSON.stringify(openApiDocument()))
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi')

const operationOf = (endpoint: Pick<Endpoint, 'path'> & { method?: string }) =>
  document.paths[basePath + endpoint.path][endpoint.method ?? 'get']

const dataKeys = ['example', 'examples', 'enum', 'default']

/** Every part of the document that has `$ref`, `example` or `examples`, with its place. */
function* parts(value: any, place = '#'): Generator<[string, any]> {
  if (typeof value !== 'object' || value === null) return
  yield [place, value]
  for (const [key, part] of Object.entries(value)) {
    if (!dataKeys.includes(key) || place.endsWith('/properties')) {
      yield* parts(part, `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
  }
}

describe('GET /openapi.json 200', () => {
  it('needs no key and serves the document as it is made', () => {
    expect(served).toEqual(document)
  })

  it('has its version', () => {
    expect(served).toMatchObject({ openapi: '3.1.0', info: { version: '0.1.0' } })
  })
})

describe('the document', () => {
  it('has just the operations that are served', () => {
    const documented = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    )
    const mounted = [
      ...publicEndpoints.map(({ path }) => `get ${basePath}${path}`),
      ...endpoints.map(({ method, path }) => `${method} ${basePath}${path}`),
    ]
    expect(documented.toSorted()).toEqual(mounted.toSorted())
  })

  it('names each operation once', () => {
    const ids = [...publicEndpoints, ...endpoints].map(({ operation }) => operation)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('describes each tag in use and no other', () => {
    const used = new Set([...publicEndpoints, ...endpoints].map(({ tag }) => tag))
    expect(new Set(document.tags.map(({ name }: { name: string }) => name))).toEqual(used)
  })

  it('refers to nothing that is missing', () => {
    const references = [...parts(document)].flatMap(([, part]) => part.$ref ?? [])
    expect(references.length).toBeGreaterThan(0)
    for (const reference of new Set<string>(references)) {
      const found = reference
        .slice(2)
        .split('/')
        .reduce((part, key) => part?.[key], document)
      expect([reference, typeof found]).toEqual([reference, 'object'])
    }
  })

  it('has examples that its schemas accept', () => {
    const wrong = [...parts(document)].flatMap(([place, { schema, example, examples, type }]) => {
      const values = [
        ...(schema && example !== undefined ? [[`${place}/schema`, example]] : []),
        ...(schema && examples
          ? Object.values<any>(examples).map(({ value }) => [`${place}/schema`, value])
          : []),
        ...(type && Array.isArray(examples) ? examples.map((value) => [place, value]) : []),
      ]
      return values.filter(
        ([at, value]) => !ajv.validate({ $ref: encodeURI(`openapi${at}`) }, value),
      )
    })
    expect(wrong).toEqual([])
  })

  it('asks no key for what is public', () => {
    for (const endpoint of publicEndpoints) expect(operationOf(endpoint).security).toEqual([])
  })

  it('has the two ways to send a key', () => {
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-SVC-Api-Key' },
    })
  })
})

// They answer with what they have just saved, read by a guard that can't fail then.
const readingBack = new Set(['upsert_organization', 'upsert_lead'])

describe.each(named(endpoints))('operation %s', (_name, endpoint) => {
  const operation = operationOf(endpoint)

  it('says which key and scope it needs', () => {
    const scopes = endpoint.scope ? [endpoint.scope] : []
    expect(operation.security).toEqual([{ bearer: scopes }, { apiKey: scopes }])
    expect(operation['x-required-scope']).toBe(endpoint.scope ?? undefined)
  })

  it('lists each code that it can answer under its status, with an example', () => {
    const documented = Object.entries<any>(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, response]): string[] => {
        const { schema, examples } = response.content['application/json']
        expect(Object.keys(examples)).toEqual(schema.properties.code.enum)
        return schema.properties.code.enum.map((code: string) => `${status} ${code}`)
      })
    const expected = refusalsOf(endpoint).map((code) => `${errorCodes[code].status} ${code}`)
    expect(documented.toSorted()).toEqual(expected.toSorted())
  })

  it('names every rule that its SQL can break, and none that it can\'t', () => {
    const { raised, outcomes, isOpen } = sqlCodesOf(endpoint.call.function)
    const documented: string[] = refusalsOf(endpoint)
    if (readingBack.has(endpoint.operation)) raised.delete('not_found')
    expect(documented).toEqual(expect.arrayContaining([...raised]))
    if (isOpen) return
    const ours = new Set(readApiErrors().map(({ code }) => code))
    const founded = raised.union(outcomes).union(ours)
    expect(endpoint.errors.filter((code) => !founded.has(code))).toEqual([])
  })

  it('shows each success with a schema that accepts its examples', () => {
    expect(Object.keys(endpoint.responses).length).toBeGreaterThan(0)
    for (const [status, { schema }] of Object.entries(endpoint.responses)) {
      const { headers, content } = operation.responses[status]
      expect(headers).toHaveProperty('X-Request-Id')
      expect(content['application/json'].schema).toBeDefined()
      for (const example of z.globalRegistry.get(schema)?.examples ?? []) {
        expect(schema.safeParse(example).error).toBeUndefined()
      }
    }
  })

  it('has the headers of idempotency just where they work', () => {
    const isIdempotent = endpoint.isIdempotent === true
    const names = operation.parameters.map((parameter: any) => parameter.name)
    expect(names.includes('Idempotency-Key')).toBe(isIdempotent)
    for (const status of Object.keys(endpoint.responses)) {
      expect('Idempotent-Replayed' in operation.responses[status].headers).toBe(isIdempotent)
    }
  })
})

describe.each(named(endpoints.filter(({ body }) => body)))('the body of %s', (_name, endpoint) => {
  it('has an example that the service accepts as it is', () => {
    const { example } = operationOf(endpoint).requestBody.content['application/json']
    expect(example).toBeDefined()
    expect(endpoint.body?.safeParse(example).error).toBeUndefined()
  })
})

describe('webhooks', () => {
  afterEach(() => {
    jest.useRealTimers()
  })

  it('are the three events', () => {
    expect(Object.keys(document.webhooks)).toEqual([...eventTypes])
  })

  it.each(Object.keys(document.webhooks))('sign their sample: %s', (type) => {
    const { parameters, requestBody, 'x-signed-example': sample } = document.webhooks[type].post
    const headers = Object.fromEntries(parameters.map((one: any) => [one.name, one.example]))
    expect(Object.keys(headers)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    expect(sample.headers).toEqual(headers)
    jest.useFakeTimers({ now: Number(headers['webhook-timestamp']) * 1000 })
    const verified = new Webhook(sample.secret).verify(sample.body, headers)
    expect(verified).toEqual(requestBody.content['application/json'].example)
    expect(verified).toMatchObject({ type })
    expect(() => new Webhook(sample.secret).verify(`${sample.body} `, headers)).toThrow(
      'No matching signature',
    )
  })
})

describe('answers in tests', () => {
  const json = { 'Content-Type': 'application/json; charset=utf-8' }
  const answer = (parts: Partial<Answer>): Answer => ({
    status: 200,
    headers: new Headers({ ...json, 'X-Request-Id': 'a' }),
    text: '',
    body: { status: 'ok', version: '0.1.0' },
    ...parts,
  })
  const check = (parts: Partial<Answer>) => () =>
    requireDocumented('GET', `${basePath}/health?a=b`, answer(parts))

  it('pass when the document has them', () => {
    expect(check({})).not.toThrow()
  })

  const without = new Headers(json)
  const more = new Headers([...answer({}).headers, ['X-Secret', 'a']])
  const envelope = { code: 'internal_error', message: 'a', request_id: 'a' }

  it.each<[string, Partial<Answer>]>([
    ['another status', { status: 202 }],
    ['a field more', { body: { status: 'ok', version: '0.1.0', host: 'a' } }],
    ['a field less', { body: { status: 'ok' } }],
    ['a field of another type', { body: { status: 'ok', version: 1 } }],
    ['no request id', { headers: without }],
    ['a header more', { headers: more }],
    ['a code of another status', { status: 500, body: { ...envelope, code: 'not_found' } }],
    ['another request id', { status: 500, body: { ...envelope, request_id: 'b' } }],
    ['no Retry-After', { status: 503, body: { ...envelope, code: 'service_unavailable' } }],
  ])('fail with %s', (_name, parts) => {
    expect(check(parts)).toThrow('OpenAPI document')
  })
})

describe('what no test has reached', () => {
  const operation = { operationId: 'never_called', responses: { 200: {}, 404: {} } }

  it('is each documented answer that was not seen', () => {
    expect(unreached({ paths: { '/a': { get: operation } } })).toEqual([
      'never_called 200',
      'never_called 404',
    ])
  })

  it('is not what was seen', async () => {
    await api.send('GET', '/health', { key: '' })
    const { get } = document.paths[`${basePath}/health`]
    expect(unreached({ paths: { '/health': { get } } })).not.toContain('check_health 200')
  })
})

type Codes = { raised: Set<string>; outcomes: Set<string>; isOpen: boolean }

/** Codes of a function and of all that it calls; open when one raises what it is handed. */
function sqlCodesOf(root: string): Codes {
  const files = new Map(
    readFunctionFiles().map(({ schema, name, sql }) => [`${schema}.${name}`, sql]),
  )
  const called = new Set<string>()
  const visit = (name: string): void => {
    const sql = files.get(name)
    if (sql === undefined || called.has(name)) return
    called.add(name)
    const code = sql.replaceAll(/^\s*--.*$/gm, '')
    for (const [, callee = ''] of code.matchAll(/\b(\w+\.\w+)\s*\(/g)) visit(callee)
  }
  visit(root)
  expect(called.has(root)).toBe(true)
  const isCalled = (one: { function: string }) => called.has(one.function)
  const raises = readRaises().filter(isCalled)
  return {
    raised: new Set(raises.filter(({ isLiteral }) => isLiteral).map(({ code }) => code)),
    outcomes: new Set(readOutcomes().filter(isCalled).map(({ code }) => code)),
    isOpen: raises.some(({ isLiteral }) => !isLiteral),
  }
}
