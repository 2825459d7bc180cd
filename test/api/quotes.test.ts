import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProduct, createProducts, quoteRequest } from '../setup/catalogue.ts'
import { createTenant } from '../setup/database.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
  await createProducts(api.db, api.tenant)
})
afterAll(() => api.close())

const create = (body: unknown) => api.send('POST', '/quotes', { headers: freshKey(), body })

const rowOf = async (id: string): Promise<Record<string, unknown>> => {
  const { rows } = await api.db.owner.query<Record<string, unknown>>(
    'select *, metadata::text as metadata_text from app.quotes where id = $1',
    [id],
  )
  return rows[0] ?? {}
}

const count = async () =>
  (await api.db.owner.query<{ count: string }>('select count(*) from app.quotes')).rows[0]?.count

const full = {
  schema_version: 1,
  external_reference: 'LOS-1',
  product_code: 'URAR',
  subject: {
    line1: '12 Main St',
    line2: 'Unit 4',
    city: 'Pasadena',
    state: 'ca',
    county: 'Los Angeles County',
    postal_code: '91101-1234',
  },
  client: { name: 'Jane Doe', email: 'Jane@Example.com', phone: '626.555.0123' },
  borrower: { name: 'Sam Roe', email: 'sam@example.com', phone: '+1 626 555 0124' },
  notes: 'Gate code 1234.\nCall before you come.',
  source: 'website',
  metadata: { officer: 'P. Smith', tags: [1, null, true] },
}

describe('POST /quotes 201', () => {
  it('answers with the public record and nothing else', async () => {
    const answer = await create(full)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/),
      status: 'open',
      external_reference: 'LOS-1',
      product_code: 'URAR',
      fee: null,
      turnaround_days: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      source: 'website',
    })
  })

  it('stores all that was sent, in the forms that are kept', async () => {
    const { body } = await create(full)
    expect(await rowOf(body.id)).toMatchObject({
      tenant_id: api.tenant.id,
      status: 'open',
      external_reference: 'LOS-1',
      product_code: 'URAR',
      fee: null,
      turnaround_days: null,
      source: 'website',
      schema_version: 1,
      subject_line1: '12 Main St',
      subject_line2: 'Unit 4',
      subject_city: 'Pasadena',
      subject_state: 'CA',
      subject_county: 'Los Angeles County',
      subject_postal_code: '91101-1234',
      client_name: 'Jane Doe',
      client_email: 'Jane@Example.com',
      client_phone: '(626) 555-0123',
      borrower_name: 'Sam Roe',
      borrower_email: 'sam@example.com',
      borrower_phone: '(626) 555-0124',
      notes: 'Gate code 1234.\nCall before you come.',
      metadata: { officer: 'P. Smith', tags: [1, null, true] },
    })
  })

  it('needs product, subject and client only', async () => {
    const { status, body } = await create({
      product_code: 'URAR',
      subject: { line1: '1 A St', state: 'CA', county: 'Kern' },
      client: { name: 'Jane', email: 'jane@example.com' },
    })
    expect([status, body.source, body.external_reference]).toEqual([201, 'api', null])
    expect(await rowOf(body.id)).toMatchObject({
      schema_version: 1,
      subject_line2: null,
      subject_city: null,
      subject_postal_code: null,
      client_phone: null,
      borrower_name: null,
      borrower_email: null,
      borrower_phone: null,
      notes: null,
      metadata: null,
    })
  })

  it('takes null for whatever is optional', async () => {
    const { status, body } = await create(
      quoteRequest({
        schema_version: null,
        external_reference: null,
        borrower: null,
        notes: null,
        source: null,
        metadata: null,
      }),
    )
    expect([status, body.source]).toEqual([201, 'api'])
    expect(await rowOf(body.id)).toMatchObject({ schema_version: 1, metadata: null })
  })

  it('takes a borrower of nothing but nulls', async () => {
    const { body } = await create(
      quoteRequest({ borrower: { name: null, email: null, phone: null } }),
    )
    expect(await rowOf(body.id)).toMatchObject({ borrower_name: null, borrower_email: null })
  })

  it('emits quote.created with ids and the action only', async () => {
    const { body } = await create(full)
    const { rows } = await api.db.owner.query(
      `select tenant_id, type, data from outbox.events where data ->> 'id' = $1`,
      [body.id],
    )
    expect(rows).toEqual([
      {
        tenant_id: api.tenant.id,
        type: 'quote.created',
        data: { id: body.id, external_reference: 'LOS-1', action: 'created' },
      },
    ])
  })

  it('needs no coverage', async () => {
    const { rows } = await api.db.owner.query('select from app.coverage')
    expect(rows).toEqual([])
    expect((await create(quoteRequest())).status).toBe(201)
  })

  it('takes a reference again', async () => {
    const ids = [await create(full), await create(full)].map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(2)
  })

  it.each(['api', 'website', 'automation'])('takes the source %s', async (source) => {
    expect((await create(quoteRequest({ source }))).body).toMatchObject({ source })
  })
})

describe('POST /quotes 404', () => {
  it.each(['NONE', 'urar', 'URA', 'x'.repeat(64)])('knows no product %s', async (code) => {
    const before = await count()
    expect(await create(quoteRequest({ product_code: code }))).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    expect(await count()).toBe(before)
  })

  it('knows no product of another company', async () => {
    const other = await createTenant(api.db)
    await createProduct(api.db, other, { code: 'THEIRS' })
    expect(await create(quoteRequest({ product_code: 'THEIRS' }))).toMatchObject({ status: 404 })
  })
})

describe('POST /quotes 422 product_inactive', () => {
  it('refuses a product that is not offered now', async () => {
    expect(await create(quoteRequest({ product_code: 'OLD' }))).toMatchObject({
      status: 422,
      body: { code: 'product_inactive' },
    })
  })
})

describe('GET /quotes/{quote_id} 200', () => {
  it('answers as the create did', async () => {
    const created = await create(full)
    const read = await api.send('GET', `/quotes/${created.body.id}`)
    expect([read.status, read.text]).toEqual([200, created.text])
  })

  it.each([
    ['sent', [`status = 'sent', fee = 1450.5, turnaround_days = 7`]],
    ['accepted', [`status = 'sent', fee = 1450.5, turnaround_days = 7`, `status = 'accepted'`]],
    ['declined', [`status = 'sent', fee = 1450.5, turnaround_days = 7`, `status = 'declined'`]],
    ['expired', [`fee = 1450.5, turnaround_days = 7, status = 'expired'`]],
  ])('shows what the office did: %s', async (status, changes) => {
    const { body } = await create(full)
    for (const change of changes) {
      await api.db.owner.query(`update app.quotes set ${change} where id = $1`, [body.id])
    }
    const read = await api.send('GET', `/quotes/${body.id}`)
    expect(read.body).toEqual({ ...body, status, fee: '1450.50', turnaround_days: 7 })
  })
})

describe('GET /quotes/{quote_id} 404', () => {
  it('answers for another company\'s quote as for none', async () => {
    const { body } = await create(full)
    const { key } = await createTenant(api.db)
    const theirs = await api.send('GET', `/quotes/${body.id}`, { key })
    const none = await api.send('GET', `/quotes/${randomUUID()}`, { key })
    expect([theirs.status, theirs.body.code]).toEqual([404, 'not_found'])
    expect({ ...theirs.body, request_id: '' }).toEqual({ ...none.body, request_id: '' })
  })
})

describe('GET /quotes 200', () => {
  const find = (reference: string, key = api.tenant.key) =>
    api.send('GET', `/quotes?external_reference=${encodeURIComponent(reference)}`, { key })

  it('gives the newest quote with a reference', async () => {
    const old = await create(quoteRequest({ external_reference: 'TWICE' }))
    await api.db.owner.query(
      `update app.quotes set created_at = now() - interval '1 day' where id = $1`,
      [old.body.id],
    )
    const last = await create(quoteRequest({ external_reference: 'TWICE' }))
    await create(quoteRequest({ external_reference: 'OTHER' }))
    const answer = await find('TWICE')
    expect([answer.status, answer.text]).toEqual([200, last.text])
  })

  it.each(['a b', 'a/b?c=d&e#f', '100%', `'; drop`, 'x'.repeat(120), '\u{1f3e0}'.repeat(120)])(
    'finds the reference %s',
    async (reference) => {
      const created = await create(quoteRequest({ external_reference: reference }))
      expect((await find(` ${reference} `)).text).toBe(created.text)
    },
  )

  it('compares exactly', async () => {
    await create(quoteRequest({ external_reference: 'Exact-1' }))
    for (const other of ['exact-1', 'Exact', 'Exact_1', 'Exact%']) {
      expect((await find(other)).status).toBe(404)
    }
  })

  it('never finds another company\'s quote', async () => {
    const other = await createTenant(api.db)
    await createProducts(api.db, other)
    const ours = await create(quoteRequest({ external_reference: 'SHARED' }))
    expect((await find('SHARED', other.key)).status).toBe(404)
    const theirs = await api.send('POST', '/quotes', {
      key: other.key,
      headers: freshKey(),
      body: quoteRequest({ external_reference: 'SHARED' }),
    })
    expect((await find('SHARED')).text).toBe(ours.text)
    expect((await find('SHARED', other.key)).text).toBe(theirs.text)
  })
})

describe('GET /quotes 422', () => {
  it.each([
    ['', 'missing'],
    ['external_reference=', 'missing'],
    ['external_reference=%20%20', 'missing'],
    [`external_reference=${'x'.repeat(121)}`, 'string_too_long'],
    [`external_reference=${encodeURIComponent('\u{1f3e0}'.repeat(121))}`, 'string_too_long'],
    ['external_reference=a%00', 'string_characters'],
  ])('refuses "%.40s"', async (query, type) => {
    const answer = await api.send('GET', `/quotes?${query}`)
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail).toMatchObject([{ loc: ['query', 'external_reference'], type }])
  })
})
