// POST /leads of one lead, and reading it again. Batches, changes and lists have files of
// their own.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Answer, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { type Tenant, createKey, createTenant } from '../setup/database.ts'
import { fieldOf, placeOf, refusedTexts, takenTexts } from '../setup/fields.ts'
import { lead, leadRecord, storeLead, storedLeads } from '../setup/leads.ts'
import {
  type Fields,
  amc,
  contact,
  eventsOf,
  lender,
  storeContact,
  storedDirectory,
  storeOrganization,
} from '../setup/organizations.ts'

let api: TestApi
let tenant: Tenant
/** An organization of the tenant, with the reference ORG-1. */
let bank: string
beforeAll(async () => {
  api = await createApi()
})
beforeEach(async () => {
  tenant = await createTenant(api.db)
  bank = await storeOrganization(api.db, tenant, { external_reference: 'ORG-1', name: 'Bank' })
})
afterAll(() => api.close())

const post = (body: unknown, key = tenant.key): Promise<Answer<any>> =>
  api.send('POST', '/leads', { key, headers: freshKey(), body })

const get = (path: string, key = tenant.key): Promise<Answer<any>> =>
  api.send('GET', `/leads${path}`, { key })

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const times = { created_at: time, updated_at: time }

/** What a refused request must leave as it was. */
const traces = async () => ({
  leads: await storedLeads(api.db, tenant),
  directory: await storedDirectory(api.db, tenant),
  events: await eventsOf(api.db, tenant),
})

const everyField = {
  external_reference: 'DEAL-1',
  external_source: 'crm',
  title: 'Twelve duplexes',
  stage: 'proposal',
  amount_cents: 125_000,
  notes: 'Wants to start in spring.\nCall first.',
}

describe('POST /leads 201', () => {
  it('creates a lead that says no more than its title and organization', async () => {
    const answer = await post(lead({ organization_id: bank }))
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      ...leadRecord({ organization_id: bank, organization_external_reference: 'ORG-1' }),
      ...times,
      id: uuid,
      action: 'created',
    })
    expect(await eventsOf(api.db, tenant)).toEqual([
      {
        type: 'lead.upserted',
        data: {
          id: answer.body.id,
          external_reference: null,
          organization_id: bank,
          action: 'created',
        },
      },
    ])
  })

  it('keeps every field that it is given', async () => {
    const answer = await post({ ...everyField, organization_external_reference: 'ORG-1' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      ...everyField,
      ...times,
      id: uuid,
      organization_id: bank,
      organization_external_reference: 'ORG-1',
      action: 'created',
    })
    const { action: _, ...record } = answer.body
    expect((await get(`/${answer.body.id}`)).body).toEqual(record)
    expect((await get('/by-reference?external_reference=DEAL-1')).body).toEqual(record)
  })

  it('creates another lead each time when it has no reference', async () => {
    for (const external_reference of [undefined, null, '']) {
      const answer = await post(lead({ organization_id: bank, external_reference }))
      expect(answer.status).toBe(201)
    }
    expect(await storedLeads(api.db, tenant)).toHaveLength(3)
  })

  it.each(['lead', 'qualified', 'proposal', 'won', 'lost'])('takes the stage %s', async (stage) => {
    expect(await post(lead({ stage, organization_id: bank }))).toMatchObject({
      status: 201,
      body: { stage },
    })
  })

  it.each([0, 1, 100_000_000_000, null])('takes %j as amount_cents', async (amount_cents) => {
    expect(await post(lead({ amount_cents, organization_id: bank }))).toMatchObject({
      status: 201,
      body: { amount_cents },
    })
  })

  it('takes null and empty strings in optional fields for none', async () => {
    const fields = ['stage', 'amount_cents', 'notes', 'external_source', 'external_reference']
    for (const nothing of [null, ' ']) {
      const parts = Object.fromEntries(fields.map((field) => [field, nothing]))
      const answer = await post(lead({ ...parts, organization_id: bank }))
      expect(answer.status).toBe(201)
      expect(answer.body).toMatchObject(
        leadRecord({ organization_id: bank, organization_external_reference: 'ORG-1' }),
      )
    }
  })

  it('takes null locators beside the one that it has for none', async () => {
    const answer = await post(
      lead({ organization_id: bank, organization_external_reference: null, organization: null }),
    )
    expect(answer.status).toBe(201)
  })

  it('removes value language from notes', async () => {
    const notes = 'Call first. Estimated value is $500,000.'
    const answer = await post(lead({ notes, organization_id: bank }))
    expect(answer.body.notes).toBe('Call first.')
    expect(await storedLeads(api.db, tenant)).toMatchObject([{ notes: 'Call first.' }])
  })

  it('lets another company have the same reference', async () => {
    await post(lead({ external_reference: 'DEAL-1', organization_id: bank }))
    const theirs = await createTenant(api.db)
    const organization_id = await storeOrganization(api.db, theirs)
    const answer = await post(lead({ external_reference: 'DEAL-1', organization_id }), theirs.key)
    expect(answer).toMatchObject({ status: 201, body: { organization_external_reference: null } })
  })

  it('replays its answer to the same Idempotency-Key', async () => {
    const request = { key: tenant.key, headers: freshKey(), body: lead({ organization_id: bank }) }
    const first = await api.send('POST', '/leads', request)
    const second = await api.send('POST', '/leads', request)
    expect(second).toMatchObject({ status: 201, text: first.text })
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await storedLeads(api.db, tenant)).toHaveLength(1)
    expect(await eventsOf(api.db, tenant)).toHaveLength(1)
  })
})

describe('POST /leads 200', () => {
  let id: string
  beforeEach(async () => {
    id = await storeLead(api.db, tenant, bank, everyField)
  })
  const again = (parts: Fields) =>
    post({ external_reference: 'DEAL-1', title: 'Refreshed', organization_id: bank, ...parts })

  it('refreshes what it is sent and keeps what is left out, the stage included', async () => {
    const answer = await again({})
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...everyField,
      ...times,
      id,
      title: 'Refreshed',
      organization_id: bank,
      organization_external_reference: 'ORG-1',
      action: 'updated',
    })
    expect(await storedLeads(api.db, tenant)).toMatchObject([
      { id, ...everyField, title: 'Refreshed' },
    ])
    expect(await eventsOf(api.db, tenant)).toEqual([
      {
        type: 'lead.upserted',
        data: { id, external_reference: 'DEAL-1', organization_id: bank, action: 'updated' },
      },
    ])
  })

  it('clears with null or an empty string, but never the stage', async () => {
    const answer = await again({ stage: null, amount_cents: null, notes: '', external_source: null })
    expect(answer).toMatchObject({
      status: 200,
      body: { stage: 'proposal', amount_cents: null, notes: null, external_source: null },
    })
  })

  it('moves to any stage and back', async () => {
    for (const stage of ['won', 'lead', 'lost', 'qualified']) {
      expect(await again({ stage })).toMatchObject({ status: 200, body: { id, stage } })
    }
  })

  it.each([
    ['organization_id', (other: string) => ({ organization_id: other })],
    [
      'organization_external_reference',
      () => ({ organization_id: null, organization_external_reference: 'ORG-2' }),
    ],
    [
      'organization',
      () => ({ organization_id: null, organization: lender({ external_reference: 'ORG-2' }) }),
    ],
  ])('moves it to the organization that %s names', async (_, locator) => {
    const other = await storeOrganization(api.db, tenant, { external_reference: 'ORG-2' })
    const answer = await again(locator(other))
    expect(answer).toMatchObject({
      status: 200,
      body: { id, organization_id: other, organization_external_reference: 'ORG-2' },
    })
    expect(await storedLeads(api.db, tenant)).toMatchObject([{ id, organization_id: other }])
  })

  it('emits an event and leaves updated_at alone when nothing differs', async () => {
    const before = await get(`/${id}`)
    const answer = await again({ title: everyField.title })
    expect(answer.body).toEqual({ ...before.body, action: 'updated' })
    expect(await eventsOf(api.db, tenant)).toHaveLength(1)
  })
})

describe('a nested organization', () => {
  it('is created with the lead, each with its event', async () => {
    const organization = amc({ external_reference: 'ORG-9', contacts: [contact()] })
    const answer = await post(lead({ organization }))
    expect(answer).toMatchObject({
      status: 201,
      body: { action: 'created', organization_external_reference: 'ORG-9' },
    })
    const { id, organization_id } = answer.body
    expect(await storedDirectory(api.db, tenant)).toContainEqual(
      expect.objectContaining({
        id: organization_id,
        name: organization['name'],
        contacts: [expect.objectContaining(contact())],
      }),
    )
    expect(await eventsOf(api.db, tenant)).toEqual([
      {
        type: 'organization.upserted',
        data: {
          id: organization_id,
          external_reference: 'ORG-9',
          client_type: 'amc',
          action: 'created',
        },
      },
      {
        type: 'lead.upserted',
        data: { id, external_reference: null, organization_id, action: 'created' },
      },
    ])
  })

  it('is updated when the directory has it', async () => {
    const answer = await post(lead({ organization: lender({ name: 'Bank', city: 'Reno' }) }))
    expect(answer).toMatchObject({ status: 201, body: { organization_id: bank } })
    expect(await storedDirectory(api.db, tenant)).toMatchObject([
      { id: bank, external_reference: 'ORG-1', city: 'Reno' },
    ])
    expect((await eventsOf(api.db, tenant)).map(({ data }) => data['action'])).toEqual([
      'updated',
      'created',
    ])
  })

  it('403 needs the scope organizations:write', async () => {
    const key = await createKey(api.db, tenant.id, { scopes: ['leads:write'] })
    const before = await traces()
    const answer = await post(lead({ organization: lender() }), key)
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(answer.body.message).toContain('organizations:write')
    expect(answer.headers.get('WWW-Authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="organizations:write"',
    )
    expect(await traces()).toEqual(before)
    expect((await post(lead({ organization_id: bank }), key)).status).toBe(201)
  })

  describe('that fails', () => {
    beforeEach(async () => {
      await storeOrganization(api.db, tenant, {
        external_reference: 'ORG-2',
        name: 'Two',
        account_number: 'AC-2',
      })
      for (const name of ['Three', 'Four']) {
        await storeOrganization(api.db, tenant, { name, account_number: 'AC-3' })
      }
      await storeContact(api.db, tenant, bank, { external_reference: 'P-1' })
      await storeLead(api.db, tenant, bank, { external_reference: 'DEAL-1' })
    })

    it.each<[string, Fields]>([
      ['name_conflict', { external_reference: 'ORG-1', name: 'Two' }],
      ['ambiguous_match', { account_number: 'AC-3' }],
      ['external_reference_conflict', { external_reference: 'ORG-1', account_number: 'AC-2' }],
      [
        'contact_conflict',
        { external_reference: 'ORG-1', contacts: [contact({ external_reference: 'P-2' })] },
      ],
    ])('409 %s saves neither', async (code, parts) => {
      const before = await traces()
      const body = { external_reference: 'DEAL-1', title: 'New', organization: lender(parts) }
      expect(await post(body)).toMatchObject({ status: 409, body: { code } })
      expect(await traces()).toEqual(before)
    })

    it('422 names the fields that it lacks where they stand', async () => {
      const before = await traces()
      const answer = await post(lead({ organization: amc({ phone: null, city: null }) }))
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
      expect(answer.body.detail).toEqual(
        ['phone', 'city'].map((field) => ({
          loc: ['body', 'organization', field],
          msg: 'required for client_type amc',
          type: 'missing',
        })),
      )
      expect(await traces()).toEqual(before)
    })
  })
})

describe('POST /leads 404', () => {
  it.each<[string, () => Promise<Fields>]>([
    ['an id that nobody has', async () => ({ organization_id: crypto.randomUUID() })],
    ['a reference that nobody has', async () => ({ organization_external_reference: 'ORG-7' })],
    [
      'another company\'s id',
      async () => ({
        organization_id: await storeOrganization(api.db, await createTenant(api.db)),
      }),
    ],
    [
      'another company\'s reference',
      async () => {
        const theirs = await createTenant(api.db)
        await storeOrganization(api.db, theirs, { external_reference: 'ORG-8' })
        return { organization_external_reference: 'ORG-8' }
      },
    ],
  ])('on %s, for new and known leads', async (_, locator) => {
    await storeLead(api.db, tenant, bank, { external_reference: 'DEAL-1' })
    const before = await traces()
    const locating = await locator()
    for (const external_reference of ['DEAL-1', 'DEAL-2']) {
      const answer = await post(lead({ external_reference, ...locating }))
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await traces()).toEqual(before)
  })
})

describe('POST /leads 422', () => {
  it.each<[string, () => unknown, [(string | number)[], string][]]>([
    ['no locator', () => lead(), [[[], 'missing']]],
    ['null locators', () => lead({ organization_id: null, organization: null }), [[[], 'missing']]],
    [
      'two locators',
      () => lead({ organization_id: bank, organization_external_reference: 'ORG-1' }),
      [[[], 'too_many_locators']],
    ],
    [
      'an id and a nested organization',
      () => lead({ organization_id: bank, organization: lender() }),
      [[[], 'too_many_locators']],
    ],
    [
      'all three locators',
      () =>
        lead({
          organization_id: bank,
          organization_external_reference: 'ORG-1',
          organization: lender(),
        }),
      [[[], 'too_many_locators']],
    ],
    [
      'neither title nor locator, both at once',
      () => ({}),
      [
        [['title'], 'missing'],
        [[], 'missing'],
      ],
    ],
    [
      'a bad locator, once',
      () => lead({ organization_id: 'x' }),
      [[['organization_id'], 'guid_format']],
    ],
    ['an unknown stage', () => lead({ stage: 'Won', organization_id: bank }), [[['stage'], 'enum']]],
    ['a list', () => [], [[[], 'object_type']]],
    ['an unknown property', () => lead({ fee: 1, organization_id: bank }), [[['fee'], 'extra_forbidden']]],
    ['an id', () => lead({ id: bank, organization_id: bank }), [[['id'], 'extra_forbidden']]],
    [
      'a bad field of a nested organization',
      () => lead({ organization: lender({ phone: '12' }) }),
      [[['organization', 'phone'], 'phone']],
    ],
    [
      'an unknown field of a nested organization',
      () => lead({ organization: lender({ fax: '1' }) }),
      [[['organization', 'fax'], 'extra_forbidden']],
    ],
    [
      'a bad contact of a nested organization',
      () => lead({ organization: lender({ contacts: [contact({ email: 'x' })] }) }),
      [[['organization', 'contacts', 0, 'email'], 'email']],
    ],
    [
      'a nested organization that is none',
      () => lead({ organization: 'Bank' }),
      [[['organization'], 'object_type']],
    ],
  ])('on %s', async (_, body, faults) => {
    const before = await traces()
    const answer = await post(body())
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail).toEqual(
      faults.map(([loc, type]) => ({ loc: ['body', ...loc], msg: expect.stringMatching(/./), type })),
    )
    expect(await traces()).toEqual(before)
  })

  it.each([-1, 100_000_000_001, 1.5, '12', true, [1]])('on amount_cents %j', async (amount_cents) => {
    const answer = await post(lead({ amount_cents, organization_id: bank }))
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'amount_cents'] }] },
    })
  })

  it('on a number that a double can\'t hold', async () => {
    const raw = `{"title":"x","organization_id":"${bank}","amount_cents":1.00000000000000000001}`
    const answer = await api.send('POST', '/leads', {
      key: tenant.key,
      headers: { ...freshKey(), 'Content-Type': 'application/json' },
      raw,
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'amount_cents'] }] },
    })
  })
})

describe.each([
  { at: 'title', max: 200, isRequired: true },
  { at: 'external_reference', max: 120, isRequired: false },
  { at: 'external_source', max: 120, isRequired: false },
  { at: 'notes', max: 10_000, isRequired: false },
])('the text $at', (field) => {
  const withText = (value: unknown) => lead({ organization_id: bank, [field.at]: value })

  it.each(takenTexts(field))('takes %s', async (_, value, stored) => {
    const answer = await post(withText(value))
    expect(answer.status).toBe(201)
    expect(fieldOf(answer.body, field.at)).toBe(stored)
  })

  it.each(refusedTexts(field))('refuses %s', async (_, value, type) => {
    const answer = await post(withText(value))
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: placeOf(field.at), type }] },
    })
  })
})

describe('other refusals of POST /leads', () => {
  it('400 without an Idempotency-Key', async () => {
    const answer = await api.send('POST', '/leads', { key: tenant.key, body: {} })
    expect(answer).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
  })

  it('403 without the scope leads:write, whatever the body', async () => {
    const key = await createKey(api.db, tenant.id, { scopes: ['leads:read', 'organizations:write'] })
    for (const body of [{}, lead({ organization_id: bank })]) {
      expect(await post(body, key)).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope' },
      })
    }
  })

  it('409 for an Idempotency-Key that went with another body', async () => {
    const headers = freshKey()
    const send = (title: string) =>
      api.send('POST', '/leads', { key: tenant.key, headers, body: { title, organization_id: bank } })
    expect((await send('One')).status).toBe(201)
    expect(await send('Two')).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } })
  })
})

describe('reading a lead', () => {
  it('200 by a reference of any signs', async () => {
    const id = await storeLead(api.db, tenant, bank, { external_reference: 'L 1/ä&+' })
    const query = new URLSearchParams({ external_reference: 'L 1/ä&+' }).toString()
    expect(await get(`/by-reference?${query}`)).toMatchObject({ status: 200, body: { id } })
  })

  it('404 for an id or reference that nobody has, or that another company has', async () => {
    const theirs = await createTenant(api.db)
    const organization = await storeOrganization(api.db, theirs)
    const id = await storeLead(api.db, theirs, organization, { external_reference: 'DEAL-5' })
    for (const path of [
      `/${id}`,
      `/${crypto.randomUUID()}`,
      '/by-reference?external_reference=DEAL-5',
      '/by-reference?external_reference=DEAL-6',
    ]) {
      expect(await get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect((await get(`/${id}`, theirs.key)).status).toBe(200)
  })

  it('422 for what is no id, and for no reference', async () => {
    expect((await get('/nonsense')).body.detail).toMatchObject([{ loc: ['path', 'id'] }])
    for (const query of ['', '?external_reference=', `?external_reference=${'x'.repeat(121)}`]) {
      const answer = await get(`/by-reference${query}`)
      expect(answer).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['query', 'external_reference'] }] },
      })
    }
  })

  it('403 without the scope leads:read', async () => {
    const key = await createKey(api.db, tenant.id, { scopes: ['leads:write'] })
    for (const path of ['', `/${bank}`, '/by-reference?external_reference=DEAL-1']) {
      expect(await get(path, key)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    }
  })
})
