import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { endpoints } from '../../src/api/index.ts'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'
import { createKey, createTenant } from '../setup/database.ts'

let api: TestApi
let key: string

beforeAll(async () => {
  api = await createApi()
  await createProducts(api.db, api.tenant)
})
afterAll(() => api.close())
beforeEach(() => {
  key = freshKey()['Idempotency-Key'] ?? ''
})

const json = { 'Content-Type': 'application/json' }

const create = (body: unknown, headers: Record<string, string> = {}) =>
  api.send('POST', '/quotes', { headers: { 'Idempotency-Key': key, ...headers }, body })

const createRaw = (raw: string) =>
  api.send('POST', '/quotes', { headers: { 'Idempotency-Key': key, ...json }, raw })

/** How many quotes and events have a reference. */
const written = async (reference: string) => {
  const { rows } = await api.db.owner.query<{ quotes: number; events: number }>(
    `select
      (select count(*)::integer from app.quotes where external_reference = $1) as quotes,
      (
        select count(*)::integer
        from outbox.events
        where data ->> 'external_reference' = $1
      ) as events`,
    [reference],
  )
  return rows[0]
}

describe('the same key and request again', () => {
  it('answers byte for byte as the first time and says so', async () => {
    const body = quoteRequest({ external_reference: 'REPLAY' })
    const first = await create(body)
    const again = await create(body)
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(again.text).toBe(first.text)
    expect(await written('REPLAY')).toEqual({ quotes: 1, events: 1 })
  })

  it('answers so after the office has changed the quote', async () => {
    const body = quoteRequest()
    const first = await create(body)
    await api.db.owner.query(
      `update app.quotes set status = 'sent', fee = 450, turnaround_days = 5 where id = $1`,
      [first.body.id],
    )
    expect((await create(body)).text).toBe(first.text)
    expect((await api.send('GET', `/quotes/${first.body.id}`)).body.status).toBe('sent')
  })

  it('answers so after the product is no longer offered', async () => {
    await api.db.owner.query(
      `insert into app.products (tenant_id, code, name) values ($1, 'SOON', 'Soon gone')`,
      [api.tenant.id],
    )
    const body = quoteRequest({ product_code: 'SOON' })
    const first = await create(body)
    await api.db.owner.query(`update app.products set is_active = false where code = 'SOON'`)
    expect((await create(body)).text).toBe(first.text)
  })

  it('has a request id of its own', async () => {
    const ids = []
    for (const id of ['first', 'second']) {
      const answer = await create(quoteRequest(), { 'X-Request-Id': id })
      ids.push(answer.headers.get('x-request-id'))
    }
    expect(ids).toEqual(['first', 'second'])
  })

  it('may come with another key of the tenant', async () => {
    const first = await create(quoteRequest())
    const other = await createKey(api.db, api.tenant.id)
    const again = await api.send('POST', '/quotes', {
      key: other,
      headers: { 'Idempotency-Key': key },
      body: quoteRequest(),
    })
    expect([again.status, again.text]).toEqual([201, first.text])
  })

  it('must pass the gates: a key that has lost the scope gets no answer', async () => {
    await create(quoteRequest())
    const reader = await createKey(api.db, api.tenant.id, { scopes: ['quotes:read'] })
    const again = await api.send('POST', '/quotes', {
      key: reader,
      headers: { 'Idempotency-Key': key },
      body: quoteRequest(),
    })
    expect(again).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })
})

describe('the body is compared as JSON', () => {
  const text =
    '{"product_code":"URAR","subject":{"line1":"1 A St","state":"CA","county":"Kern"},' +
    '"client":{"name":"Jane","email":"j@example.com"},"metadata":{"a":1,"b":[1,2]}}'

  it.each([
    ['other white space', text.replaceAll(/([{,:])/g, '$1\n  ')],
    [
      'another order of keys, inner ones too',
      '{"metadata":{"b":[1,2],"a":1},"client":{"email":"j@example.com","name":"Jane"},' +
        '"subject":{"county":"Kern","state":"CA","line1":"1 A St"},"product_code":"URAR"}',
    ],
    ['escapes', text.replace('Jane', '\\u004aane').replace('1 A St', '1 A\\u0020St')],
    ['another way to write a number', text.replace('"a":1', '"a":1.0')],
  ])('so it is the same with %s', async (_name, other) => {
    const first = await createRaw(text)
    const again = await createRaw(other)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it.each([
    ['another value', text.replace('Jane', 'John')],
    ['another order in a list', text.replace('[1,2]', '[2,1]')],
    ['a field more', text.replace('{"product_code"', '{"notes":"x","product_code"')],
    ['a null more', text.replace('{"product_code"', '{"notes":null,"product_code"')],
    ['a number that rounds to the same', text.replace('"a":1,', '"a":1.0000000000000000001,')],
    ['another type', text.replace('"a":1,', '"a":"1",')],
  ])('so it is another with %s', async (_name, other) => {
    await createRaw(text)
    expect(await createRaw(other)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    })
  })
})

describe('409 idempotency_conflict', () => {
  it('writes nothing and leaves the first answer', async () => {
    const first = await create(quoteRequest({ external_reference: 'FIRST' }))
    const other = await create(quoteRequest({ external_reference: 'OTHER' }))
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } })
    expect(other.headers.get('retry-after')).toBeNull()
    expect(await written('OTHER')).toEqual({ quotes: 0, events: 0 })
    const again = await create(quoteRequest({ external_reference: 'FIRST' }))
    expect(again.text).toBe(first.text)
  })

  it('answers a key that was used on another path', async () => {
    await create(quoteRequest())
    const others = endpoints.filter(({ isIdempotent, path }) => isIdempotent && path !== '/quotes')
    for (const { path, body } of others) {
      const answer = await api.send('POST', path, {
        headers: { 'Idempotency-Key': key },
        body: body && z.globalRegistry.get(body)?.examples?.[0],
      })
      expect([path, answer.status, answer.body.code]).toEqual([path, 409, 'idempotency_conflict'])
    }
  })

  it('comes after the schema', async () => {
    await create(quoteRequest())
    expect(await create({})).toMatchObject({ status: 422, body: { code: 'validation_error' } })
  })
})

describe('a quoted key', () => {
  const createAs = (header: string) =>
    api.send('POST', '/quotes', { headers: { 'Idempotency-Key': header }, body: quoteRequest() })

  it('is the bare key', async () => {
    const first = await createAs(key)
    const again = await createAs(`"${key}"`)
    expect([again.status, again.text]).toEqual([201, first.text])
  })

  it('has its escapes undone', async () => {
    const first = await createAs(`"${key}\\"\\\\"`)
    const again = await createAs(`${key}"\\`)
    expect([again.status, again.text]).toEqual([201, first.text])
  })

  it('is another key in other letters', async () => {
    const first = await createAs(`${key}a`)
    const other = await createAs(`${key}A`)
    expect(other.status).toBe(201)
    expect(other.body.id).not.toBe(first.body.id)
  })
})

describe('a request that failed', () => {
  it.each([
    ['a rule', { product_code: 'NONE' }, 404],
    ['an inactive product', { product_code: 'OLD' }, 422],
    ['its schema', { product_code: '' }, 422],
  ])('by %s leaves nothing, its key included', async (_name, parts, status) => {
    const reference = `FAILED-${key}`
    expect(await create(quoteRequest({ external_reference: reference, ...parts }))).toMatchObject({
      status,
    })
    expect(await written(reference)).toEqual({ quotes: 0, events: 0 })
    const { rows } = await api.db.owner.query(
      'select from app.idempotency_keys where key = $1',
      [key],
    )
    expect(rows).toEqual([])
    expect(await create(quoteRequest({ external_reference: reference }))).toMatchObject({
      status: 201,
    })
  })

  it('may be repeated once what it lacked is there', async () => {
    const body = quoteRequest({ product_code: 'NEW' })
    expect((await create(body)).status).toBe(404)
    await api.db.owner.query(
      `insert into app.products (tenant_id, code, name) values ($1, 'NEW', 'New')`,
      [api.tenant.id],
    )
    const answer = await create(body)
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null])
  })
})

describe('at the same time', () => {
  it('a hundred requests make one quote and one event, and get one answer', async () => {
    const body = quoteRequest({ external_reference: 'HUNDRED' })
    const answers = await Promise.all(Array.from({ length: 100 }, () => create(body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const first = answers.filter(({ headers }) => !headers.has('idempotent-replayed'))
    expect(first).toHaveLength(1)
    expect(await written('HUNDRED')).toEqual({ quotes: 1, events: 1 })
  })

  it('of two different requests one wins and the other is a conflict', async () => {
    const bodies = ['LEFT', 'RIGHT'].map((reference) =>
      quoteRequest({ external_reference: reference }),
    )
    const answers = await Promise.all(bodies.map((body) => create(body)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  })

  it('a request waits 5 s for the first and then answers 409 idempotency_in_progress', async () => {
    const first = await api.db.owner.connect()
    const lock = `hashtextextended('idempotency:' || $1::text || ':' || $2::text, 0)`
    try {
      await first.query(`select pg_advisory_lock(${lock})`, [api.tenant.id, key])
      const answer = await create(quoteRequest({ external_reference: 'WAITED' }))
      expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } })
      expect(answer.headers.get('retry-after')).toBe('1')
      expect(await written('WAITED')).toEqual({ quotes: 0, events: 0 })
    } finally {
      await first.query(`select pg_advisory_unlock(${lock})`, [api.tenant.id, key])
      first.release()
    }
    expect(await create(quoteRequest({ external_reference: 'WAITED' }))).toMatchObject({
      status: 201,
    })
  })
})

describe('two companies', () => {
  it('use the same key for what they like and never meet', async () => {
    const other = await createTenant(api.db)
    await createProducts(api.db, other)
    const ours = await create(quoteRequest({ external_reference: 'OURS' }))
    const theirs = await api.send('POST', '/quotes', {
      key: other.key,
      headers: { 'Idempotency-Key': key },
      body: quoteRequest({ external_reference: 'THEIRS' }),
    })
    expect([ours.status, theirs.status]).toEqual([201, 201])
    expect(theirs.headers.get('idempotent-replayed')).toBeNull()
    expect(theirs.body).toMatchObject({ external_reference: 'THEIRS' })
    expect(theirs.body.id).not.toBe(ours.body.id)
  })
})
