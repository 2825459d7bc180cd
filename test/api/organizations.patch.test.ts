// PATCH of fields. Conflicts of keys and of contacts have files of their own.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Answer, type TestApi, createApi } from '../setup/api.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
import {
  type Fields,
  amc,
  eventsOf,
  office,
  storedDirectory,
  storeOrganization,
} from '../setup/organizations.ts'

let api: TestApi
let tenant: Tenant
let id: string
beforeAll(async () => {
  api = await createApi()
})
beforeEach(async () => {
  tenant = await createTenant(api.db)
  id = await storeOrganization(api.db, tenant, amc({ name: 'Alpha', external_reference: 'R-1' }))
})
afterAll(() => api.close())

const patch = (body: unknown): Promise<Answer<any>> =>
  api.send('PATCH', `/organizations/${id}`, { key: tenant.key, body })

describe('PATCH /organizations/{id} 200', () => {
  it.each<[string, Fields]>([
    ['external_source', { external_source: 'crm' }],
    ['name', { name: 'Beta' }],
    ['client_type', { client_type: 'lender' }],
    ['phone', { phone: '(626) 555-0111' }],
    ['email', { email: 'New@bank.example' }],
    ['website', { website: 'bank.example' }],
    ['address_line1', { address_line1: '1 Elm St' }],
    ['address_line2', { address_line2: 'Floor 2' }],
    ['city', { city: 'Reno' }],
    ['state', { state: 'NV' }],
    ['postal_code', { postal_code: '89501' }],
    ['account_number', { account_number: 'AC-1' }],
    ['amc_license_number', { amc_license_number: 'L-1' }],
    ['notes', { notes: 'Ring twice.' }],
    ['is_active', { is_active: false }],
    ['paid_when_paid', { paid_when_paid: true }],
  ])('changes %s alone', async (_, body) => {
    const before = await api.send('GET', `/organizations/${id}`, { key: tenant.key })
    const answer = await patch(body)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...before.body,
      ...body,
      updated_at: expect.any(String),
      action: 'updated',
    })
    expect(answer.body.updated_at > before.body.updated_at).toBe(true)
    const after = await api.send('GET', `/organizations/${id}`, { key: tenant.key })
    expect({ ...after.body, action: 'updated' }).toEqual(answer.body)
  })

  it('clears with null or an empty string, flags to their defaults', async () => {
    await patch({ notes: 'x', account_number: 'AC-1', is_active: false, paid_when_paid: true })
    const answer = await patch({ notes: null, account_number: '', is_active: null, paid_when_paid: null })
    expect(answer).toMatchObject({
      status: 200,
      body: { notes: null, account_number: null, is_active: true, paid_when_paid: false },
    })
  })

  it('emits an event each time, also when nothing changes', async () => {
    await patch({ name: 'Alpha' })
    await patch({ external_reference: null })
    const data = { id, client_type: 'amc', action: 'updated' }
    expect(await eventsOf(api.db, tenant)).toEqual([
      { type: 'organization.upserted', data: { ...data, external_reference: 'R-1' } },
      { type: 'organization.upserted', data: { ...data, external_reference: null } },
    ])
  })

  it('blanks a required field of what becomes a lender by the same request', async () => {
    const answer = await patch({ client_type: 'lender', phone: null })
    expect(answer).toMatchObject({ status: 200, body: { client_type: 'lender', phone: null } })
  })

  it('makes a lender an AMC when it gives what is missing', async () => {
    await patch({ client_type: 'lender', phone: null, city: null })
    const answer = await patch({ client_type: 'amc', phone: office.phone, city: office.city })
    expect(answer).toMatchObject({ status: 200, body: { client_type: 'amc', ...office } })
  })

  it('needs no Idempotency-Key and runs again when it is sent again', async () => {
    for (const _ of [1, 2]) expect((await patch({ notes: 'x' })).status).toBe(200)
    expect(await eventsOf(api.db, tenant)).toHaveLength(2)
  })
})

describe('PATCH /organizations/{id} 422', () => {
  afterEachLeavesAlone()

  it.each(Object.keys(office).flatMap((field) => [null, ' '].map((blank) => ({ field, blank }))))(
    'on blanking $field with $blank',
    async ({ field, blank }) => {
      const answer = await patch({ [field]: blank, notes: 'x' })
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
      expect(answer.body.detail).toEqual([
        { loc: ['body', field], msg: 'required for client_type amc', type: 'missing' },
      ])
    },
  )

  it('on blanking several, naming each', async () => {
    const answer = await patch({ postal_code: null, phone: null })
    expect(answer.body.detail).toMatchObject([
      { loc: ['body', 'phone'] },
      { loc: ['body', 'postal_code'] },
    ])
  })

  it.each<[string, unknown, (string | number)[], string]>([
    ['an empty body', {}, [], 'missing'],
    ['a list', [], [], 'object_type'],
    ['a null name', { name: null }, ['name'], 'string_type'],
    ['a blank name', { name: ' ' }, ['name'], 'string_too_short'],
    ['a null client_type', { client_type: null }, ['client_type'], 'enum'],
    ['a bad state', { state: 'ZZ' }, ['state'], 'state'],
    ['an unknown property', { nmae: 'x' }, ['nmae'], 'extra_forbidden'],
    ['an id', { id: 'x', name: 'Beta' }, ['id'], 'extra_forbidden'],
  ])('on %s', async (_, body, loc, type) => {
    const answer = await patch(body)
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail).toEqual([{ loc: ['body', ...loc], msg: expect.any(String), type }])
  })

  it('on a lender that becomes an AMC and lacks all that it needs', async () => {
    const bare = await storeOrganization(api.db, tenant, { name: 'Bare' })
    const answer = await api.send('PATCH', `/organizations/${bare}`, {
      key: tenant.key,
      body: { client_type: 'amc' },
    })
    expect(answer.status).toBe(422)
    expect(answer.body.detail.map(({ loc }: { loc: unknown[] }) => loc[1])).toEqual(
      Object.keys(office),
    )
    await api.db.owner.query('delete from app.organizations where id = $1', [bare])
  })
})

describe('PATCH /organizations/{id} 404', () => {
  it('for an id that nobody has', async () => {
    id = '01890000-0000-7000-8000-000000000000'
    expect(await patch({ notes: 'x' })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('for another company\'s, which stays as it is', async () => {
    const theirs = await createTenant(api.db)
    id = await storeOrganization(api.db, theirs, { name: 'Theirs' })
    expect(await patch({ notes: 'x' })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await storedDirectory(api.db, theirs)).toMatchObject([{ notes: null }])
  })

  it('but 422 for an id that is none', async () => {
    id = 'nonsense'
    expect(await patch({ notes: 'x' })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['path', 'id'] }] },
    })
  })
})

/** Whatever these tests send, the record and the outbox are as before. */
function afterEachLeavesAlone(): void {
  let before: Fields[]
  beforeEach(async () => {
    before = await storedDirectory(api.db, tenant)
  })
  afterEach(async () => {
    expect(await storedDirectory(api.db, tenant)).toEqual(before)
    expect(await eventsOf(api.db, tenant)).toEqual([])
  })
}
