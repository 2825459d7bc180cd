// Every field of a quote request and each rule for it, from both sides.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProduct, createProducts, quoteRequest } from '../setup/catalogue.ts'
import {
  type TextField,
  emails,
  notEmails,
  notPhones,
  phoneSpellings,
  placeOf,
  refusedTexts,
  takenTexts,
  withField,
} from '../setup/fields.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
  await createProducts(api.db, api.tenant)
})
afterAll(() => api.close())

const create = (body: unknown) => api.send('POST', '/quotes', { headers: freshKey(), body })

/** A create whose metadata is the JSON text given. */
const createWithMetadata = (metadata: string) =>
  api.send('POST', '/quotes', {
    headers: { ...freshKey(), 'Content-Type': 'application/json' },
    raw: JSON.stringify(quoteRequest({ metadata: '@' })).replace('"@"', () => metadata),
  })

const rowOf = async (id: string): Promise<Record<string, unknown>> => {
  const { rows } = await api.db.owner.query<Record<string, unknown>>(
    'select *, metadata::text as metadata_text from app.quotes where id = $1',
    [id],
  )
  return rows[0] ?? {}
}

const count = async () =>
  (await api.db.owner.query<{ count: string }>('select count(*) from app.quotes')).rows[0]?.count

/** Expects 422 with one fault, and that nothing is written. */
const expectFault = async (body: unknown, loc: (string | number)[], type: string | null) => {
  const before = await count()
  const answer = await create(body)
  expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
  expect(answer.body.detail).toEqual([{ loc, msg: expect.any(String), type }])
  expect(await count()).toBe(before)
}

const texts: (TextField & { column: string })[] = [
  { at: 'external_reference', max: 120, isRequired: false, column: 'external_reference' },
  { at: 'subject.line1', max: 300, isRequired: true, column: 'subject_line1' },
  { at: 'subject.line2', max: 40, isRequired: false, column: 'subject_line2' },
  { at: 'subject.city', max: 120, isRequired: false, column: 'subject_city' },
  { at: 'subject.county', max: 120, isRequired: true, column: 'subject_county' },
  { at: 'subject.postal_code', max: 20, isRequired: false, column: 'subject_postal_code' },
  { at: 'client.name', max: 200, isRequired: true, column: 'client_name' },
  { at: 'borrower.name', max: 200, isRequired: false, column: 'borrower_name' },
  { at: 'notes', max: 10_000, isRequired: false, column: 'notes' },
]

const eachTaken = texts.flatMap((field) =>
  takenTexts(field).map(([label, value, stored]) => ({ ...field, label, value, stored })),
)
const eachRefused = [...texts, { at: 'product_code', max: 64, isRequired: true }].flatMap((field) =>
  refusedTexts(field).map(([label, value, type]) => ({ ...field, label, value, type })),
)

describe('POST /quotes text fields', () => {
  it.each(eachTaken)('$at takes $label', async ({ at, value, stored, column }) => {
    const answer = await create(withField(quoteRequest(), at, value))
    expect(answer.status).toBe(201)
    expect((await rowOf(answer.body.id))[column]).toBe(stored)
  })

  it.each(eachRefused)('$at refuses $label', async ({ at, value, type }) => {
    await expectFault(withField(quoteRequest(), at, value), placeOf(at), type)
  })

  it('product_code takes 64 characters, beyond the basic plane, too', async () => {
    for (const code of ['x'.repeat(64), '\u{1f3e0}'.repeat(64)]) {
      await createProduct(api.db, api.tenant, { code, name: 'Long' })
      const answer = await create(quoteRequest({ product_code: ` ${code} ` }))
      expect(answer).toMatchObject({ status: 201, body: { product_code: code } })
    }
  })

  it('notes keeps its lines', async () => {
    const notes = 'First line.\r\n\tSecond line.\n\nThird line.'
    const { body } = await create(quoteRequest({ notes }))
    expect((await rowOf(body.id))['notes']).toBe(notes)
  })
})

describe('POST /quotes subject.state', () => {
  it.each([['CA', 'CA'], ['ny', 'NY'], [' Pr ', 'PR'], ['dc', 'DC']])(
    'takes %j as %s',
    async (state, stored) => {
      const { body } = await create(withField(quoteRequest(), 'subject.state', state))
      expect((await rowOf(body.id))['subject_state']).toBe(stored)
    },
  )

  it.each<[unknown, string]>([
    ['XX', 'state'],
    ['AA', 'state'],
    ['C', 'string_length'],
    ['CAL', 'string_length'],
    ['California', 'string_length'],
    ['', 'string_length'],
    ['C ', 'string_length'],
    ['1A', 'string_length'],
    ['\ufb02', 'string_length'],
    ['C\0', 'string_length'],
    [undefined, 'missing'],
    [null, 'string_type'],
    [6, 'string_type'],
  ])('refuses %j', async (state, type) => {
    const body = withField(quoteRequest(), 'subject.state', state)
    await expectFault(body, ['body', 'subject', 'state'], type)
  })
})

const columnOf = (at: string) => at.replace('.', '_')

describe.each(['client.phone', 'borrower.phone'])('POST /quotes %s', (at) => {
  it.each(phoneSpellings)('takes %j', async (phone) => {
    const { body } = await create(withField(quoteRequest(), at, phone))
    expect((await rowOf(body.id))[columnOf(at)]).toBe('(626) 555-0123')
  })

  it.each([null, undefined, '', '  '])('takes %j for none', async (phone) => {
    const { body } = await create(withField(quoteRequest(), at, phone))
    expect((await rowOf(body.id))[columnOf(at)]).toBeNull()
  })

  it.each(notPhones)('refuses %j', async (phone) => {
    await expectFault(withField(quoteRequest(), at, phone), placeOf(at), 'phone')
  })

  it.each([6265550123, true, ['626-555-0123'], {}])('refuses %j, no string', async (phone) => {
    await expectFault(withField(quoteRequest(), at, phone), placeOf(at), 'string_type')
  })
})

describe.each(['client.email', 'borrower.email'])('POST /quotes %s', (at) => {
  it.each(emails)('takes %s as it is', async (email) => {
    const { body } = await create(withField(quoteRequest(), at, ` ${email} `))
    expect((await rowOf(body.id))[columnOf(at)]).toBe(email)
  })

  it.each(notEmails)('refuses %j', async (email) => {
    await expectFault(withField(quoteRequest(), at, email), placeOf(at), 'email')
  })

  it('takes 254 characters and no more', async () => {
    const email = (length: number) => `a@${'b'.repeat(length - 6)}.com`
    expect((await create(withField(quoteRequest(), at, email(254)))).status).toBe(201)
    await expectFault(withField(quoteRequest(), at, email(255)), placeOf(at), 'string_too_long')
  })

  it.each<[unknown, string]>([
    ['a\0@example.com', 'string_characters'],
    ['a\ud83c@example.com', 'string_characters'],
    [5, 'string_type'],
    [['a@example.com'], 'string_type'],
  ])('refuses %j', async (email, type) => {
    const { body } = await create(withField(quoteRequest(), at, email))
    expect(body.detail[0]).toMatchObject({ loc: placeOf(at), type })
  })
})

describe('POST /quotes client.email', () => {
  it.each<[unknown, string]>([
    [undefined, 'missing'],
    [null, 'string_type'],
    ['', 'string_too_short'],
  ])('is required: %j', async (email, type) => {
    const { body } = await create(withField(quoteRequest(), 'client.email', email))
    expect(body.detail[0]).toMatchObject({ loc: ['body', 'client', 'email'], type })
  })
})

describe('POST /quotes objects', () => {
  it.each(['subject', 'client', 'borrower'])('%s must be an object', async (at) => {
    for (const value of ['text', 1, true, [], [{}]]) {
      await expectFault(withField(quoteRequest(), at, value), ['body', at], 'object_type')
    }
  })

  it.each(['subject', 'client'])('%s is required', async (at) => {
    await expectFault(withField(quoteRequest(), at, undefined), ['body', at], 'missing')
    await expectFault(withField(quoteRequest(), at, null), ['body', at], 'object_type')
  })

  it.each([
    'extra', 'subject.extra', 'client.extra', 'borrower.extra', 'subject.zip', 'fee', 'status',
    'tenant_id', 'id', 'turnaround_days',
  ])('refuse the unknown property %s', async (at) => {
    await expectFault(withField(quoteRequest(), at, 'x'), placeOf(at), 'extra_forbidden')
  })

  it('name every fault at once', async () => {
    const { body } = await create({ subject: { state: 'XX', more: 1 }, client: {} })
    const places = body.detail.map((fault: any) => `${fault.loc.join('.')} ${fault.type}`)
    expect(new Set(places)).toEqual(
      new Set([
        'body.product_code missing', 'body.subject.line1 missing', 'body.subject.state state',
        'body.subject.county missing', 'body.subject.more extra_forbidden',
        'body.client.name missing', 'body.client.email missing',
      ]),
    )
  })
})

describe('POST /quotes enumerations', () => {
  it.each(['API', 'email', 'web site', 1, true, ['api']])('source refuses %j', async (source) => {
    await expectFault(quoteRequest({ source }), ['body', 'source'], 'enum')
  })

  it.each([0, 2, 1.5, '1', true, [1]])('schema_version refuses %j', async (schema_version) => {
    await expectFault(quoteRequest({ schema_version }), ['body', 'schema_version'], 'enum')
  })

  it('schema_version takes 1.0', async () => {
    const raw = JSON.stringify(quoteRequest({ schema_version: '@' })).replace('"@"', '1.0')
    const headers = { ...freshKey(), 'Content-Type': 'application/json' }
    expect((await api.send('POST', '/quotes', { headers, raw })).status).toBe(201)
  })
})

describe('POST /quotes metadata', () => {
  // {"a":"…"} is 8 bytes more than what stands between the quotes.
  const ofBytes = (bytes: number, unit = 'x') =>
    JSON.stringify({ a: unit.repeat((bytes - 8) / Buffer.byteLength(unit)) })
  const nested = (levels: number) => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1)

  it.each<[string, string]>([
    ['8,192 bytes', ofBytes(8192)],
    ['8,192 bytes of two-byte characters', ofBytes(8192, '\u00e9')],
    ['8,192 bytes of four-byte characters', ofBytes(8192, '\u{1f3e0}')],
    ['64 levels', nested(64)],
    ['an empty object', '{}'],
    ['an empty name', '{"":1}'],
    ['names of JavaScript', '{"__proto__":{"a":1},"constructor":1,"toString":null}'],
    ['a backslash before u0000', '{"a":"\\\\u0000 \\\\\\\\ud800"}'],
    ['every kind of value', '{"a":[1,-2.5,true,false,null,"\\ud83c\\udfe0",{"b":[]}]}'],
  ])('takes %s', async (_name, text) => {
    const answer = await createWithMetadata(text)
    expect(answer.status).toBe(201)
    const row = await rowOf(answer.body.id)
    const { rows } = await api.db.owner.query<{ same: boolean }>(
      'select $1::jsonb = $2::jsonb as same',
      [text, row['metadata_text']],
    )
    expect(rows).toEqual([{ same: true }])
  })

  it('is measured as compact JSON, whatever white space was sent', async () => {
    const spaced = ofBytes(8192).replace(':', ` :${' '.repeat(5000)}`)
    expect((await createWithMetadata(spaced)).status).toBe(201)
  })

  it.each([
    '9007199254740993', '12345678901234567890123456789', '0.1234567890123456789012345',
    '123456789.123456789', '1.0000000000000000001', '-9007199254740993.5', '1e-30', '1.5e300',
    '0.1', '-0.5', '100', '1E5', '2.50',
  ])('keeps the number %s exactly', async (digits) => {
    const { body } = await createWithMetadata(`{"a":{"b":[${digits}]}}`)
    const { rows } = await api.db.owner.query(
      `select (metadata -> 'a' -> 'b' ->> 0)::numeric = $2::numeric as same
      from app.quotes where id = $1`,
      [body.id, digits],
    )
    expect(rows).toEqual([{ same: true }])
  })

  it.each<[string, string, string]>([
    ['8,193 bytes', ofBytes(8193), 'object_too_large'],
    ['8,194 bytes of two-byte characters', ofBytes(8194, '\u00e9'), 'object_too_large'],
    ['many small values', JSON.stringify({ a: Array(5000).fill(1) }), 'object_too_large'],
    ['65 levels', nested(65), 'too_deep'],
    ['65 levels of lists', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'too_deep'],
    ['10,000 levels', nested(10_000), 'too_deep'],
    ['U+0000 in a value', '{"a":"x\\u0000"}', 'string_characters'],
    ['U+0000 in a name', '{"a\\u0000":1}', 'string_characters'],
    ['a lone surrogate in a value', '{"a":["\\ud83c"]}', 'string_characters'],
    ['a lone surrogate in a name', '{"a":{"\\udfe0":1}}', 'string_characters'],
    ['a lone surrogate after a backslash', '{"a":"\\\\\\ud83c"}', 'string_characters'],
    ['a number past any double', '{"a":1e309}', 'number_range'],
    ['a number that would fill a disk', '{"a":[-1e999999999]}', 'number_range'],
    ['a number too near to zero', '{"a":1e-999}', 'number_range'],
    ['a list', '[]', 'object_type'],
    ['a text', '"x"', 'object_type'],
    ['a number', '1', 'object_type'],
    ['a long number', '12345678901234567890', 'object_type'],
    ['true', 'true', 'object_type'],
  ])('refuses %s', async (_name, text, type) => {
    const before = await count()
    const answer = await createWithMetadata(text)
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail).toEqual([
      { loc: ['body', 'metadata'], msg: expect.any(String), type },
    ])
    expect(await count()).toBe(before)
  })
})

describe('numbers where text is due', () => {
  it('are refused however long they are', async () => {
    const raw = JSON.stringify(quoteRequest({ notes: '@' })).replace('"@"', '12345678901234567890')
    const headers = { ...freshKey(), 'Content-Type': 'application/json' }
    const { body } = await api.send('POST', '/quotes', { headers, raw })
    expect(body.detail).toMatchObject([{ loc: ['body', 'notes'], type: 'string_type' }])
  })
})
