// What one request costs the database, counted on the wire.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'
import { type TestDatabase, createDatabase } from '../setup/database.ts'
import { lender } from '../setup/organizations.ts'
import { type WireTap, tapWire } from '../setup/wire_tap.ts'

let db: TestDatabase
let tap: WireTap
let api: TestApi
let quoteId: string

beforeAll(async () => {
  db = await createDatabase()
  tap = await tapWire(db.urls.api)
  api = await createApi({ db, apiUrl: tap.url })
  await createProducts(db, api.tenant)
  const created = await api.send('POST', '/quotes', {
    headers: freshKey(),
    body: quoteRequest({ external_reference: 'R-1' }),
  })
  quoteId = created.body.id
})
afterAll(async () => {
  await api.close()
  await tap.close()
  await db.close()
})

const coverage = { state: 'CA', county: 'Kern' }
const { subject } = quoteRequest()

/** Round trips and statements of one request on a connection that is warm. */
async function cost(method: string, path: string, body?: unknown) {
  const send = () =>
    api.send(method, path, { headers: freshKey(), ...(body === undefined ? {} : { body }) })
  await send()
  tap.reset()
  const { status } = await send()
  return { status, roundTrips: tap.roundTrips(), statements: tap.statements() }
}

const aHundred = Array.from({ length: 100 }, () => lender())

const leads = Array.from({ length: 100 }, (_, index) => ({
  title: `Lead ${index}`,
  organization: lender({ external_reference: `L-${index}` }),
}))

const one = { roundTrips: 1, statements: 1 }

describe('the happy path', () => {
  it.each([
    { method: 'GET', path: '/me' },
    { method: 'GET', path: '/products' },
    { method: 'POST', path: '/coverage/check', body: coverage },
    { method: 'POST', path: '/quotes', body: quoteRequest() },
    { method: 'GET', path: '/quotes?external_reference=R-1' },
    { method: 'POST', path: '/organizations', body: lender({ external_reference: 'R-1' }) },
    { method: 'POST', path: '/organizations/batch', body: { items: aHundred } },
    { method: 'GET', path: '/organizations?q=organization' },
    { method: 'POST', path: '/leads/batch', body: { items: leads } },
    { method: 'GET', path: '/leads' },
    { method: 'GET', path: '/orders?order_number=A-1' },
    { method: 'GET', path: '/organizations/by-reference?external_reference=R-1' },
  ])('of $method $path is one statement and one round trip', async ({ method, path, body }) => {
    const { status, ...spent } = await cost(method, path, body)
    expect(status).toBeLessThan(300)
    expect(spent).toEqual(one)
  })

  it('of a read by id is one statement and one round trip', async () => {
    expect(await cost('GET', `/quotes/${quoteId}`)).toEqual({ status: 200, ...one })
  })
})

describe('a refusal', () => {
  it('by a business rule is one round trip', async () => {
    const spent = await cost('POST', '/fees/preview', { product_code: 'URAR', subject })
    expect(spent).toEqual({ status: 422, ...one })
  })

  it('by the schema pays one for the credentials', async () => {
    expect(await cost('POST', '/quotes', {})).toEqual({ status: 422, ...one })
  })

  it('of a malformed key asks nobody', async () => {
    tap.reset()
    const { status } = await api.send('GET', '/me', { key: 'svc_test_nonsense' })
    expect({ status, roundTrips: tap.roundTrips() }).toEqual({ status: 401, roundTrips: 0 })
  })
})
