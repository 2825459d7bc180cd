import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type TestApi, createApi } from '../setup/api.ts'
import {
  type Appraiser,
  createAppraiser,
  createProduct,
  createProducts,
} from '../setup/catalogue.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
import { type TextField, placeOf, refusedTexts, takenTexts, withField } from '../setup/fields.ts'

let api: TestApi
/** A new company for each test, without appraisers. */
let tenant: Tenant

beforeAll(async () => {
  api = await createApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  tenant = await createTenant(api.db)
  await createProducts(api.db, tenant)
  await createProduct(api.db, tenant, { code: 'LAND' })
})

const appraiser = (parts: Appraiser) => createAppraiser(api.db, tenant, parts)

const request = { product_code: 'URAR', subject: { line1: '1 A St', state: 'CA', county: 'Kern' } }

const preview = (body: unknown = request) =>
  api.send('POST', '/fees/preview', { key: tenant.key, body })

/** Fee, days and basis of the request, or of one with another product or place. */
const feeOf = async (product_code = 'URAR', state = 'CA', county = 'Kern') => {
  const answer = await preview({ product_code, subject: { line1: '1 A St', state, county } })
  expect(answer.status).toBe(200)
  return [answer.body.fee, answer.body.turnaround_days, answer.body.fee_basis]
}

describe('POST /fees/preview 200', () => {
  it('answers with fee and turnaround and nothing else', async () => {
    await appraiser({ covers: [['CA', 'Kern']], fees: [['450', 5, 'URAR']] })
    const answer = await preview()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      product_code: 'URAR',
      fee: '450.00',
      currency: 'USD',
      turnaround_days: 5,
      covered: true,
      fee_basis: 'lowest_covering',
      notes: null,
    })
  })

  it('makes nothing up where no fee is on record', async () => {
    await appraiser({ covers: [['CA', 'Kern']] })
    const answer = await preview()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      product_code: 'URAR',
      fee: null,
      currency: 'USD',
      turnaround_days: null,
      covered: true,
      fee_basis: 'lowest_covering',
      notes: expect.stringMatching(/office/),
    })
  })

  it.each([['0', '0.00'], ['0.5', '0.50'], ['1234567.89', '1234567.89']])(
    'writes %s as %s',
    async (fee, shown) => {
      await appraiser({ covers: [['CA']], fees: [[fee, 0, 'URAR']] })
      expect(await feeOf()).toEqual([shown, 0, 'lowest_covering'])
    },
  )
})

describe('of several appraisers', () => {
  it('the lowest fee counts', async () => {
    await appraiser({ covers: [['CA']], fees: [['500', 2, 'URAR']] })
    await appraiser({ covers: [['CA', 'Kern']], fees: [['450', 9, 'URAR']] })
    await appraiser({ covers: [['CA', 'Kern']], fees: [['475', 1, 'URAR']] })
    expect(await feeOf()).toEqual(['450.00', 9, 'lowest_covering'])
  })

  it('fees compare as numbers', async () => {
    await appraiser({ covers: [['CA']], fees: [['1000', 2, 'URAR']] })
    await appraiser({ covers: [['CA']], fees: [['90', 3, 'URAR']] })
    expect(await feeOf()).toEqual(['90.00', 3, 'lowest_covering'])
  })

  it('with the same fee the shorter turnaround counts, whoever came first', async () => {
    await appraiser({ covers: [['CA']], fees: [['450', 9, 'URAR']] })
    await appraiser({ covers: [['CA']], fees: [['450.00', 3, 'URAR']] })
    await appraiser({ covers: [['CA']], fees: [['450', 5, 'URAR']] })
    expect(await feeOf()).toEqual(['450.00', 3, 'lowest_covering'])
  })

  it('who does not cover the county has no say', async () => {
    await appraiser({ covers: [['CA', 'Kern']], fees: [['450', 5, 'URAR']] })
    await appraiser({ covers: [['CA', 'Kings'], ['NV']], fees: [['100', 1, 'URAR']] })
    expect(await feeOf()).toEqual(['450.00', 5, 'lowest_covering'])
  })

  it('who does not cover the product has no say', async () => {
    await appraiser({ covers: [['CA']], fees: [['450', 5, 'URAR']] })
    await appraiser({ covers: [['CA', 'Kern', 'LAND']], fees: [['100', 1, 'URAR']] })
    expect(await feeOf()).toEqual(['450.00', 5, 'lowest_covering'])
  })

  it('who is not active has no say', async () => {
    await appraiser({ covers: [['CA']], fees: [['450', 5, 'URAR']] })
    await appraiser({ covers: [['CA']], fees: [['100', 1, 'URAR']], isActive: false })
    expect(await feeOf()).toEqual(['450.00', 5, 'lowest_covering'])
  })

  it('who has no fee for the product is left out', async () => {
    await appraiser({ covers: [['CA']] })
    await appraiser({ covers: [['CA']], fees: [['100', 1, 'LAND']] })
    await appraiser({
      covers: [['CA']],
      fees: [['450', 5, 'URAR', 'NV'], ['460', 6, 'URAR', 'CA']],
    })
    expect(await feeOf()).toEqual(['460.00', 6, 'lowest_covering'])
    expect(await feeOf('LAND')).toEqual(['100.00', 1, 'lowest_covering'])
  })

  it('another company\'s have no say', async () => {
    const other = await createTenant(api.db)
    await createProducts(api.db, other)
    await createAppraiser(api.db, other, {
      covers: [['CA']],
      fees: [['100', 1, 'URAR']],
      isDefault: true,
    })
    await appraiser({ covers: [['CA']], fees: [['450', 5, 'URAR']] })
    expect(await feeOf()).toEqual(['450.00', 5, 'lowest_covering'])
  })
})

describe('of one appraiser\'s fees', () => {
  it('the most specific counts, also when it is the highest', async () => {
    await appraiser({
      covers: [['CA'], ['NV']],
      fees: [
        ['300', 3, 'URAR'],
        ['400', 4, 'URAR', 'CA'],
        ['500', 5, 'URAR', 'CA', 'Kern'],
        ['100', 1, 'URAR', 'CA', 'Kings'],
      ],
    })
    expect(await feeOf('URAR', 'CA', 'Kern')).toEqual(['500.00', 5, 'lowest_covering'])
    expect(await feeOf('URAR', 'CA', 'Fresno')).toEqual(['400.00', 4, 'lowest_covering'])
    expect(await feeOf('URAR', 'NV', 'Clark')).toEqual(['300.00', 3, 'lowest_covering'])
  })

  it('that one is compared with the others\'', async () => {
    await appraiser({
      covers: [['CA']],
      fees: [['100', 1, 'URAR'], ['500', 5, 'URAR', 'CA', 'Kern']],
    })
    await appraiser({ covers: [['CA']], fees: [['450', 4, 'URAR']] })
    expect(await feeOf()).toEqual(['450.00', 4, 'lowest_covering'])
  })

  it('a county matches in every spelling', async () => {
    await appraiser({
      covers: [['MO']],
      fees: [
        ['400', 4, 'URAR', 'MO'],
        ['500', 5, 'URAR', 'MO', 'St. Louis'],
        ['600', 6, 'URAR', 'MO', 'St. Louis City'],
      ],
    })
    const fees = []
    for (const county of ['SAINT LOUIS COUNTY', 'City of St Louis', 'Boone']) {
      fees.push((await feeOf('URAR', 'mo', county))[0])
    }
    expect(fees).toEqual(['500.00', '600.00', '400.00'])
  })

  it('those of other products do not count', async () => {
    await appraiser({ covers: [['CA']], fees: [['100', 1, 'LAND', 'CA', 'Kern']] })
    expect(await feeOf()).toEqual([null, null, 'lowest_covering'])
  })
})

describe('with a default appraiser', () => {
  it('only that one\'s fees count, also when others ask less', async () => {
    await appraiser({ covers: [['CA']], fees: [['100', 1, 'URAR']] })
    await appraiser({ covers: [['CA']], fees: [['450', 5, 'URAR']], isDefault: true })
    expect(await feeOf()).toEqual(['450.00', 5, 'default_appraiser'])
  })

  it('there is no fee when that one has none', async () => {
    await appraiser({ covers: [['CA']], fees: [['100', 1, 'URAR']] })
    await appraiser({ covers: [['CA', 'Kern']], isDefault: true })
    const answer = await preview()
    expect(answer.body).toMatchObject({
      fee: null,
      turnaround_days: null,
      covered: true,
      fee_basis: 'default_appraiser',
      notes: expect.any(String),
    })
  })

  it('an area is not covered when that one does not cover it', async () => {
    await appraiser({ covers: [['CA']], fees: [['100', 1, 'URAR']] })
    await appraiser({ covers: [['NV']], fees: [['450', 5, 'URAR']], isDefault: true })
    expect(await preview()).toMatchObject({
      status: 422,
      body: { code: 'coverage_unavailable' },
    })
  })

  it('that one counts as not configured while not active', async () => {
    await appraiser({ covers: [['CA']], fees: [['450', 5, 'URAR']] })
    await appraiser({
      covers: [['CA']],
      fees: [['100', 1, 'URAR']],
      isDefault: true,
      isActive: false,
    })
    expect(await feeOf()).toEqual(['450.00', 5, 'lowest_covering'])
  })
})

describe('POST /fees/preview 404', () => {
  it('knows no product, and says so before it looks at the area', async () => {
    expect(await preview({ ...request, product_code: 'NONE' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })

  it('knows no product of another company', async () => {
    await createProduct(api.db, await createTenant(api.db), { code: 'THEIRS' })
    expect(await preview({ ...request, product_code: 'THEIRS' })).toMatchObject({ status: 404 })
  })
})

describe('POST /fees/preview 422', () => {
  it('product_inactive comes before the area', async () => {
    expect(await preview({ ...request, product_code: 'OLD' })).toMatchObject({
      status: 422,
      body: { code: 'product_inactive' },
    })
  })

  it.each<[string, Appraiser]>([
    ['nobody', {}],
    ['somebody elsewhere', { covers: [['CA', 'Kings'], ['NV']] }],
    ['somebody for another product', { covers: [['CA', 'Kern', 'LAND']] }],
    ['somebody who is not active', { covers: [['CA']], isActive: false }],
  ])('coverage_unavailable where there is %s', async (_name, parts) => {
    await appraiser({ ...parts, fees: [['100', 1, 'URAR']] })
    expect(await preview()).toMatchObject({ status: 422, body: { code: 'coverage_unavailable' } })
  })
})

describe('the coverage check and the preview', () => {
  it.each<[string, Appraiser[]]>([
    ['nobody', []],
    ['a county', [{ covers: [['CA', 'Kern']] }]],
    ['a state', [{ covers: [['CA']] }]],
    ['another product', [{ covers: [['CA', null, 'LAND']] }]],
    ['a default elsewhere', [{ covers: [['CA']] }, { covers: [['NV']], isDefault: true }]],
    ['a default here', [{ covers: [['NV']] }, { covers: [['CA']], isDefault: true }]],
    ['an inactive default', [{ covers: [['CA']] }, { isDefault: true, isActive: false }]],
  ])('agree with %s', async (_name, appraisers) => {
    for (const parts of appraisers) await appraiser(parts)
    for (const [product_code, county] of [['URAR', 'Kern'], ['LAND', 'Kern'], ['URAR', 'Inyo']]) {
      const place = { state: 'CA', county }
      const check = await api.send('POST', '/coverage/check', {
        key: tenant.key,
        body: { ...place, product_code },
      })
      const { status } = await preview({ product_code, subject: { line1: '1 A St', ...place } })
      expect([county, product_code, check.body.covered]).toEqual([
        county, product_code, status === 200,
      ])
    }
  })
})

const texts: TextField[] = [
  { at: 'subject.line1', max: 300, isRequired: true },
  { at: 'subject.line2', max: 40, isRequired: false },
  { at: 'subject.city', max: 120, isRequired: false },
  { at: 'subject.county', max: 120, isRequired: true },
  { at: 'subject.postal_code', max: 20, isRequired: false },
]

const eachTaken = texts.flatMap((field) =>
  takenTexts(field).map(([label, value]) => ({ ...field, label, value })),
)
const eachRefused = [...texts, { at: 'product_code', max: 64, isRequired: true }].flatMap((field) =>
  refusedTexts(field).map(([label, value, type]) => ({ ...field, label, value, type })),
)

describe('POST /fees/preview text fields', () => {
  it.each(eachTaken)('$at takes $label', async ({ at, value }) => {
    await appraiser({ covers: [['CA']] })
    expect((await preview(withField(request, at, value))).status).toBe(200)
  })

  it.each(eachRefused)('$at refuses $label', async ({ at, value, type }) => {
    const answer = await preview(withField(request, at, value))
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail).toEqual([{ loc: placeOf(at), msg: expect.any(String), type }])
  })

  it('product_code takes 64 characters and says which product it found', async () => {
    const code = '\u{1f3e0}'.repeat(64)
    await createProduct(api.db, tenant, { code, name: 'Long' })
    await appraiser({ covers: [['CA']] })
    expect((await preview({ ...request, product_code: ` ${code} ` })).body).toMatchObject({
      product_code: code,
    })
  })
})

describe('POST /fees/preview fields', () => {
  it.each<[string, unknown, string]>([
    ['subject', undefined, 'missing'],
    ['subject', null, 'object_type'],
    ['subject', 'text', 'object_type'],
    ['subject', [], 'object_type'],
    ['subject.state', undefined, 'missing'],
    ['subject.state', 'XX', 'state'],
    ['subject.state', 'C', 'string_length'],
    ['subject.zip', '91101', 'extra_forbidden'],
    ['client', {}, 'extra_forbidden'],
  ])('refuse %s %j', async (at, value, type) => {
    const answer = await preview(withField(request, at, value))
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail).toEqual([{ loc: placeOf(at), msg: expect.any(String), type }])
  })
})
