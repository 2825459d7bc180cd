import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { STATE_CODES } from '../../src/schemas/states.ts'
import { type TestApi, createApi } from '../setup/api.ts'
import { createAppraiser, createProduct, createProducts } from '../setup/catalogue.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
import { placeOf, refusedTexts, takenTexts, withField } from '../setup/fields.ts'

let api: TestApi
/** A new company for each test, without coverage. */
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

const check = (body: unknown) =>
  api.send('POST', '/coverage/check', { key: tenant.key, body })

const isCovered = async (state: string, county: string, product_code?: string | null) => {
  const answer = await check({ state, county, product_code })
  expect(answer.status).toBe(200)
  return answer.body.covered as boolean
}

describe('POST /coverage/check 200', () => {
  it('echoes what was asked, the county as sent and the state in capitals', async () => {
    const answer = await check({ state: 'va', county: 'City of  Norfolk', product_code: 'URAR' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      covered: false,
      state: 'VA',
      county: 'City of  Norfolk',
      product_code: 'URAR',
    })
  })

  it.each([undefined, null, '', ' '])('has null for no product: %j', async (product_code) => {
    const answer = await check({ state: 'CA', county: 'Kern', product_code })
    expect(answer.body).toEqual({ covered: false, state: 'CA', county: 'Kern', product_code: null })
  })

  it('covers the counties of an appraiser\'s rows and no others', async () => {
    await createAppraiser(api.db, tenant, { covers: [['CA', 'Kern'], ['NV', 'Clark']] })
    expect(await isCovered('CA', 'Kern')).toBe(true)
    expect(await isCovered('NV', 'Clark')).toBe(true)
    expect(await isCovered('CA', 'Clark')).toBe(false)
    expect(await isCovered('NV', 'Kern')).toBe(false)
    expect(await isCovered('CA', 'Kings')).toBe(false)
  })

  it('covers each county of a state where the row has none', async () => {
    await createAppraiser(api.db, tenant, { covers: [['CA']] })
    expect(await isCovered('CA', 'Kern')).toBe(true)
    expect(await isCovered('CA', 'No such county')).toBe(true)
    expect(await isCovered('NV', 'Clark')).toBe(false)
  })

  it('covers with a row for one product just that, and all when none is asked', async () => {
    await createAppraiser(api.db, tenant, { covers: [['CA', 'Kern', 'LAND']] })
    expect(await isCovered('CA', 'Kern', 'LAND')).toBe(true)
    expect(await isCovered('CA', 'Kern', 'URAR')).toBe(false)
    expect(await isCovered('CA', 'Kern')).toBe(true)
  })

  it('covers with a row without product all of them', async () => {
    await createAppraiser(api.db, tenant, { covers: [['CA', 'Kern']] })
    expect(await isCovered('CA', 'Kern', 'LAND')).toBe(true)
    expect(await isCovered('CA', 'Kern', 'URAR')).toBe(true)
  })

  it('is false for a product that is not offered, wherever', async () => {
    await createAppraiser(api.db, tenant, { covers: [['CA'], ['CA', 'Kern', 'OLD']] })
    expect(await isCovered('CA', 'Kern', 'OLD')).toBe(false)
    expect(await isCovered('CA', 'Kern')).toBe(true)
  })

  it('leaves out who is not active', async () => {
    await createAppraiser(api.db, tenant, { covers: [['CA']], isActive: false })
    expect(await isCovered('CA', 'Kern')).toBe(false)
    await createAppraiser(api.db, tenant, { covers: [['CA', 'Kern']] })
    expect(await isCovered('CA', 'Kern')).toBe(true)
  })

  it('counts the default appraiser alone where there is one', async () => {
    await createAppraiser(api.db, tenant, { covers: [['CA'], ['NV', 'Clark']] })
    await createAppraiser(api.db, tenant, { covers: [['NV', 'Washoe']], isDefault: true })
    expect(await isCovered('NV', 'Washoe')).toBe(true)
    expect(await isCovered('NV', 'Clark')).toBe(false)
    expect(await isCovered('CA', 'Kern')).toBe(false)
  })

  it('counts everybody where the default appraiser is not active', async () => {
    await createAppraiser(api.db, tenant, { covers: [['CA']] })
    await createAppraiser(api.db, tenant, {
      covers: [['NV', 'Washoe']],
      isDefault: true,
      isActive: false,
    })
    expect(await isCovered('CA', 'Kern')).toBe(true)
    expect(await isCovered('NV', 'Washoe')).toBe(false)
  })

  it('knows nothing of another company\'s appraisers', async () => {
    const other = await createTenant(api.db)
    await createAppraiser(api.db, other, { covers: [['CA']], isDefault: true })
    expect(await isCovered('CA', 'Kern')).toBe(false)
    await createAppraiser(api.db, tenant, { covers: [['CA']] })
    expect(await isCovered('CA', 'Kern')).toBe(true)
  })

  it.each([
    ['CA', 'Los Angeles', ['los angeles', 'LOS  ANGELES COUNTY', 'Los-Angeles', 'LosAngeles']],
    ['LA', 'Orleans Parish', ['orleans', 'Orleans', 'ORLEANS PARISH']],
    ['MO', 'St. Louis', ['Saint Louis County', 'st louis', 'ST. LOUIS']],
    ['MO', 'St. Louis City', ['City of Saint Louis', 'st louis city']],
    ['IL', 'De Kalb', ['DeKalb County', 'dekalb']],
    ['NM', 'Do\u00f1a Ana', ['Dona Ana', 'DO\u00d1A ANA COUNTY', 'Don\u0303a Ana']],
    ['MD', 'Prince George\'s', ['Prince Georges County', 'PRINCE GEORGE\u2019S']],
    ['VA', 'Norfolk', ['Norfolk City', 'City of Norfolk']],
    ['AK', 'Kenai Peninsula Borough', ['Kenai Peninsula', 'kenai peninsula borough']],
    ['PR', 'Bayam\u00f3n Municipio', ['Bayamon', 'BAYAM\u00d3N']],
  ])('takes the spellings of a county for one: %s %s', async (state, stored, spellings) => {
    await createAppraiser(api.db, tenant, { covers: [[state, stored]] })
    for (const county of [stored, ...spellings]) {
      const answer = await check({ state: state.toLowerCase(), county })
      expect(answer.body).toMatchObject({ covered: true, state, county })
    }
  })

  it.each([
    ['MO', 'St. Louis', 'St. Louis City'],
    ['MD', 'Baltimore City', 'Baltimore County'],
    ['VA', 'Fairfax', 'Fairfax City'],
    ['VA', 'Richmond City', 'Richmond'],
    ['CA', 'Kern', 'Kernville'],
  ])('keeps counties and cities of one name apart: %s %s', async (state, stored, other) => {
    await createAppraiser(api.db, tenant, { covers: [[state, stored]] })
    expect(await isCovered(state, stored)).toBe(true)
    expect(await isCovered(state, other)).toBe(false)
  })

  it.each(STATE_CODES)('knows the state %s', async (state) => {
    expect(await isCovered(state, 'Any')).toBe(false)
  })
})

describe('POST /coverage/check 404', () => {
  it.each(['NONE', 'urar', 'x'.repeat(64)])('knows no product %s', async (product_code) => {
    await createAppraiser(api.db, tenant, { covers: [['CA']] })
    expect(await check({ state: 'CA', county: 'Kern', product_code })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })

  it('knows no product of another company', async () => {
    await createProduct(api.db, await createTenant(api.db), { code: 'THEIRS' })
    expect(await check({ state: 'CA', county: 'Kern', product_code: 'THEIRS' })).toMatchObject({
      status: 404,
    })
  })
})

describe('POST /coverage/check county', () => {
  const field = { at: 'county', max: 120, isRequired: true }
  const whole = { state: 'CA', county: 'Kern' }

  it.each(takenTexts(field))('takes %s', async (_label, value, echoed) => {
    const answer = await check(withField(whole, 'county', value))
    expect(answer).toMatchObject({ status: 200, body: { county: echoed } })
  })

  it.each(refusedTexts(field))('refuses %s', async (_label, value, type) => {
    const answer = await check(withField(whole, 'county', value))
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail).toEqual([
      { loc: ['body', 'county'], msg: expect.any(String), type },
    ])
  })
})

describe('POST /coverage/check 422', () => {
  it.each<[string, unknown, string]>([
    ['state', undefined, 'missing'],
    ['state', null, 'string_type'],
    ['state', 'XX', 'state'],
    ['state', 'California', 'string_length'],
    ['state', '', 'string_length'],
    ['product_code', 'x'.repeat(65), 'string_too_long'],
    ['product_code', '\u{1f3e0}'.repeat(65), 'string_too_long'],
    ['product_code', 'a\0', 'string_characters'],
    ['product_code', 'a\ud83c', 'string_characters'],
    ['product_code', 1, 'string_type'],
    ['product_code', {}, 'string_type'],
    ['city', 'Bakersfield', 'extra_forbidden'],
    ['subject', {}, 'extra_forbidden'],
  ])('refuses %s %j', async (at, value, type) => {
    const answer = await check(withField({ state: 'CA', county: 'Kern' }, at, value))
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail).toEqual([{ loc: placeOf(at), msg: expect.any(String), type }])
  })
})
