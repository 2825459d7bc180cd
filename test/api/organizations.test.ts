// POST /organizations of one organization, and reading it again. Which organization is
// meant, and its contacts, have files of their own.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Answer, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { type Tenant, createKey, createTenant } from '../setup/database.ts'
import {
  type Fields,
  amc,
  contact,
  contactRecord,
  eventsOf,
  lender,
  office,
  record,
  storedDirectory,
  storeOrganization,
} from '../setup/organizations.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
})
afterAll(() => api.close())

const post = (body: unknown, key = api.tenant.key): Promise<Answer<any>> =>
  api.send('POST', '/organizations', { headers: freshKey(), body, key })

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const times = { created_at: time, updated_at: time }
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

/** What a refused request must leave as it was. */
const traces = async (tenant: Tenant) => ({
  directory: await storedDirectory(api.db, tenant),
  events: await eventsOf(api.db, tenant),
})

const everyField = {
  external_reference: 'CRM-1',
  external_source: 'crm',
  name: 'Summit Valuation',
  client_type: 'amc',
  phone: '(626) 555-0140',
  email: 'Orders@Summit.example',
  website: 'https://summit.example',
  address_line1: '400 Lake Ave',
  address_line2: 'Suite 12',
  city: 'Pasadena',
  state: 'CA',
  postal_code: '91101',
  account_number: 'AC-1',
  amc_license_number: 'CA-1234',
  notes: 'Invoices by the 5th.\nGate code 1234.',
  is_active: false,
  paid_when_paid: true,
}

describe('POST /organizations 201', () => {
  it('creates a lender that says no more than its name', async () => {
    const body = lender()
    const answer = await post(body)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ ...record(body), ...times, id: uuid, action: 'created' })
  })

  it('keeps every field and contact that it is given', async () => {
    const ann = contact({ external_reference: 'P-1', phone: '(626) 555-0199', is_primary: true })
    const bob = contact({ email: 'b@b.example', contact_type: 'other', other_label: 'Notary' })
    const answer = await post({ ...everyField, contacts: [ann, bob] })
    expect(answer.body).toEqual({
      ...everyField,
      ...times,
      id: uuid,
      contacts: [
        { ...contactRecord(ann), ...times, id: uuid },
        { ...contactRecord(bob), ...times, id: uuid },
      ],
      action: 'created',
    })
  })

  it.each(['amc', 'private_party', 'other'])('creates a complete %s', async (client_type) => {
    const answer = await post(amc({ client_type }))
    expect(answer).toMatchObject({ status: 201, body: { client_type, action: 'created' } })
  })

  it('emits one event, with ids, type and action only', async () => {
    const tenant = await createTenant(api.db)
    const { body } = await post(lender({ external_reference: 'R-1', contacts: [contact()] }), tenant.key)
    expect(await eventsOf(api.db, tenant)).toEqual([
      {
        type: 'organization.upserted',
        data: {
          id: body.id,
          external_reference: 'R-1',
          client_type: 'lender',
          action: 'created',
        },
      },
    ])
  })

  it('writes phones, states and spaces in one form', async () => {
    const sent = amc({ phone: '+1 626.555.0140', state: ' ca', city: '  Pasadena ' })
    expect((await post(sent)).body).toMatchObject({
      phone: '(626) 555-0140',
      state: 'CA',
      city: 'Pasadena',
    })
  })

  it.each([null, '', '  '])('takes %j in an optional field for none', async (nothing) => {
    const body = lender({ external_reference: nothing, phone: nothing, notes: nothing })
    const answer = await post(body)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ external_reference: null, phone: null, notes: null })
  })

  it('takes null flags for their defaults', async () => {
    const answer = await post(lender({ is_active: null, paid_when_paid: null }))
    expect(answer).toMatchObject({ status: 201, body: { is_active: true, paid_when_paid: false } })
  })

  it('lets another company have the same keys', async () => {
    const body = lender({ external_reference: 'R-same', account_number: 'AC-same' })
    await post(body)
    const theirs = await createTenant(api.db)
    expect((await post(body, theirs.key)).status).toBe(201)
  })

  it.each([
    ['name', 200],
    ['external_reference', 120],
    ['external_source', 120],
    ['website', 300],
    ['address_line1', 300],
    ['address_line2', 40],
    ['city', 120],
    ['postal_code', 20],
    ['account_number', 120],
    ['amc_license_number', 120],
    ['notes', 10_000],
  ])('takes %s of %i characters, whatever their bytes, and no more', async (field, length) => {
    const fits = '\u{1F3E0}'.repeat(length)
    expect((await post(lender({ [field]: fits }))).body).toMatchObject({ [field]: fits })
    expect((await post(lender({ [field]: `${fits}x` }))).status).toBe(422)
  })
})

describe('POST /organizations 200', () => {
  it('updates, leaves alone what is left out, and says so in an event', async () => {
    const tenant = await createTenant(api.db)
    const created = await post(everyField, tenant.key)
    const answer = await post(
      { external_reference: 'CRM-1', name: 'Summit', client_type: 'amc', ...office },
      tenant.key,
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...created.body,
      ...office,
      name: 'Summit',
      updated_at: time,
      action: 'updated',
    })
    expect((await eventsOf(api.db, tenant)).map(({ data }) => data['action'])).toEqual([
      'created',
      'updated',
    ])
  })

  it('clears what is null, flags to their defaults', async () => {
    const tenant = await createTenant(api.db)
    await post({ ...everyField, client_type: 'lender' }, tenant.key)
    const optional = Object.keys(everyField).filter(
      (field) => !['name', 'client_type', 'external_reference'].includes(field),
    )
    const cleared = Object.fromEntries(optional.map((field) => [field, null]))
    const answer = await post(
      { ...cleared, external_reference: 'CRM-1', name: 'Summit', client_type: 'lender' },
      tenant.key,
    )
    expect(answer).toMatchObject({
      status: 200,
      body: { ...cleared, is_active: true, paid_when_paid: false, external_reference: 'CRM-1' },
    })
  })

  it('emits an event also when nothing changes', async () => {
    const tenant = await createTenant(api.db)
    for (const status of [201, 200, 200]) {
      expect((await post(everyField, tenant.key)).status).toBe(status)
    }
    expect(await eventsOf(api.db, tenant)).toHaveLength(3)
  })

  it('tells by updated_at of changes alone', async () => {
    const { key } = await createTenant(api.db)
    const changes = [
      { contacts: [contact()] },
      { contacts: [contact({ phone: '(626) 555-0199' })] },
      { contacts: [contact({ email: 'bob@bank.example' })] },
      { notes: 'Ring twice.' },
    ]
    const parts = { external_reference: 'R-1', name: 'Alpha' }
    let last = await post(lender(parts), key)
    for (const change of changes) {
      const changed = await post(lender({ ...parts, ...change }), key)
      expect(changed.body.updated_at > last.body.updated_at).toBe(true)
      last = await post(lender({ ...parts, ...change }), key)
      expect(last.body).toEqual({ ...changed.body, action: 'updated' })
    }
  })

  it('moves updated_at and not created_at', async () => {
    const { body: before } = await post(lender({ external_reference: 'R-time' }))
    await api.db.owner.query(
      `update app.organizations
      set created_at = created_at - interval '1 day' where id = $1`,
      [before.id],
    )
    const { body: after } = await post(lender({ external_reference: 'R-time', notes: 'x' }))
    expect(after.updated_at > before.updated_at).toBe(true)
    expect(after.created_at < before.created_at).toBe(true)
  })
})

describe('POST /organizations with an Idempotency-Key used before', () => {
  it('gives the first answer again, and changes and emits nothing', async () => {
    const tenant = await createTenant(api.db)
    const request = { key: tenant.key, headers: freshKey(), body: lender({ contacts: [contact()] }) }
    const first = await api.send('POST', '/organizations', request)
    const before = await traces(tenant)
    const second = await api.send('POST', '/organizations', request)
    expect(second).toMatchObject({ status: 201, text: first.text })
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(first.headers.get('Idempotent-Replayed')).toBeNull()
    expect(await traces(tenant)).toEqual(before)
  })

  it('is 409 idempotency_conflict with another body', async () => {
    const headers = freshKey()
    await api.send('POST', '/organizations', { headers, body: lender() })
    const answer = await api.send('POST', '/organizations', { headers, body: lender() })
    expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } })
  })

  it('tries again when the first was refused', async () => {
    const tenant = await createTenant(api.db)
    const [headers, body] = [freshKey(), lender({ name: 'Alpha', external_reference: 'R-2' })]
    const inTheWay = await storeOrganization(api.db, tenant, {
      name: 'Alpha',
      external_reference: 'R-1',
    })
    const send = () => api.send('POST', '/organizations', { key: tenant.key, headers, body })
    expect((await send()).status).toBe(409)
    await api.db.owner.query(`update app.organizations set name = 'Beta' where id = $1`, [inTheWay])
    expect((await send()).status).toBe(201)
  })
})

describe('POST /organizations 422', () => {
  const requiredFields = Object.keys(office)

  it.each(['amc', 'private_party', 'other'])('lists all that a bare %s lacks', async (type) => {
    const tenant = await createTenant(api.db)
    const answer = await post({ name: 'Bare', client_type: type }, tenant.key)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      code: 'validation_error',
      detail: requiredFields.map((field) => ({
        loc: ['body', field],
        msg: `required for client_type ${type}`,
        type: 'missing',
      })),
    })
    expect(await traces(tenant)).toEqual({ directory: [], events: [] })
  })

  it.each(
    requiredFields.flatMap((field) => [null, '', undefined].map((nothing) => ({ field, nothing }))),
  )('names $field when it is $nothing', async ({ field, nothing }) => {
    const answer = await post(amc({ [field]: nothing }))
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toEqual([
      { loc: ['body', field], msg: 'required for client_type amc', type: 'missing' },
    ])
  })

  it('wants an update complete by itself, though the record has what it lacks', async () => {
    const tenant = await createTenant(api.db)
    const { phone: _, ...withoutPhone } = amc({ external_reference: 'R-1', name: 'Alpha' })
    await post({ ...withoutPhone, phone: office.phone }, tenant.key)
    const before = await traces(tenant)
    const answer = await post({ ...withoutPhone, city: 'Elsewhere' }, tenant.key)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ loc: ['body', 'phone'] }])
    expect(await traces(tenant)).toEqual(before)
  })

  it.each<[string, Fields, (string | number)[], string]>([
    ['no name', { name: undefined }, ['name'], 'missing'],
    ['a null name', { name: null }, ['name'], 'string_type'],
    ['a blank name', { name: '  ' }, ['name'], 'string_too_short'],
    ['no client_type', { client_type: undefined }, ['client_type'], 'missing'],
    ['an unknown client_type', { client_type: 'bank' }, ['client_type'], 'enum'],
    ['a phone that is none', { phone: '555-0140' }, ['phone'], 'phone'],
    ['an area code of 1', { phone: '(126) 555-0140' }, ['phone'], 'phone'],
    ['an e-mail that is none', { email: 'orders' }, ['email'], 'email'],
    ['a state that is none', { state: 'XX' }, ['state'], 'state'],
    ['a state in words', { state: 'Texas' }, ['state'], 'string_length'],
    ['a flag that is none', { is_active: 'yes' }, ['is_active'], 'boolean_type'],
    ['a number for a name', { name: 7 }, ['name'], 'string_type'],
    ['U+0000', { notes: 'a\0b' }, ['notes'], 'string_characters'],
    ['an unknown property', { fax: '1' }, ['fax'], 'extra_forbidden'],
    ['an id', { id: '01890000-0000-7000-8000-000000000000' }, ['id'], 'extra_forbidden'],
    ['contacts that are no list', { contacts: {} }, ['contacts'], 'array_type'],
  ])('refuses %s', async (_, parts, loc, type) => {
    const tenant = await createTenant(api.db)
    const answer = await post(lender(parts), tenant.key)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'validation_error', detail: [{ type }] })
    expect(answer.body.detail[0].loc).toEqual(['body', ...loc])
    expect(await traces(tenant)).toEqual({ directory: [], events: [] })
  })

  it.each([undefined, [], 'text', null])('refuses the body %j as a whole', async (body) => {
    const answer = await api.send('POST', '/organizations', {
      headers: { ...freshKey(), 'Content-Type': 'application/json' },
      raw: body === undefined ? '' : JSON.stringify(body),
    })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'] }] } })
  })
})

describe('POST /organizations 400', () => {
  it('needs an Idempotency-Key', async () => {
    const answer = await api.send('POST', '/organizations', { body: lender() })
    expect(answer).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
  })
})

describe('reading an organization', () => {
  it('shows by id and by reference what the upsert answered, without the action', async () => {
    const { key } = await createTenant(api.db)
    const { body } = await post({ ...everyField, contacts: [contact()] }, key)
    const { action, ...read } = body
    expect(action).toBe('created')
    const byId = await api.send('GET', `/organizations/${body.id}`, { key })
    const byReference = await api.send(
      'GET',
      '/organizations/by-reference?external_reference=CRM-1',
      { key },
    )
    expect(byId.status).toBe(200)
    expect(byId.body).toEqual(read)
    expect(byReference).toMatchObject({ status: 200, text: byId.text })
  })

  it('is 404 for an id and a reference that nobody has', async () => {
    const paths = [
      '/organizations/01890000-0000-7000-8000-000000000000',
      '/organizations/by-reference?external_reference=nobody',
    ]
    for (const path of paths) {
      expect(await api.send('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })

  it('is 404 for an id and a reference of another company', async () => {
    const theirs = await createTenant(api.db)
    const id = await storeOrganization(api.db, theirs, { external_reference: 'R-theirs' })
    for (const path of [id, 'by-reference?external_reference=R-theirs']) {
      expect(await api.send('GET', `/organizations/${path}`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    }
  })

  it.each([
    ['/organizations/nonsense', ['path', 'id']],
    ['/organizations/by-reference', ['query', 'external_reference']],
    ['/organizations/by-reference?external_reference=', ['query', 'external_reference']],
    [`/organizations/by-reference?external_reference=${'x'.repeat(121)}`, ['query', 'external_reference']],
    ['/organizations/by-reference?external_reference=x&q=1', ['query', 'q']],
  ])('is 422 at %s', async (path, loc) => {
    const answer = await api.send('GET', path)
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error', detail: [{ loc }] } })
  })
})

describe('403 and 405', () => {
  it.each([
    ['POST', '/organizations', 'organizations:write'],
    ['POST', '/organizations/batch', 'organizations:write'],
    ['PATCH', '/organizations/01890000-0000-7000-8000-000000000000', 'organizations:write'],
    ['GET', '/organizations', 'organizations:read'],
    ['GET', '/organizations/01890000-0000-7000-8000-000000000000', 'organizations:read'],
    ['GET', '/organizations/by-reference?external_reference=x', 'organizations:read'],
  ] as const)('%s %s needs the scope %s alone', async (method, path, scope) => {
    const other = scope === 'organizations:read' ? 'organizations:write' : 'organizations:read'
    const request = {
      headers: freshKey(),
      ...(method === 'GET' ? {} : { body: { items: [] } }),
    }
    const refused = await createKey(api.db, api.tenant.id, { scopes: [other] })
    expect(await api.send(method, path, { ...request, key: refused })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    })
    const allowed = await createKey(api.db, api.tenant.id, { scopes: [scope] })
    expect((await api.send(method, path, { ...request, key: allowed })).status).not.toBe(403)
  })

  it.each([
    ['DELETE', '/organizations', 'POST, GET, HEAD'],
    ['GET', '/organizations/batch', 'POST'],
    ['PATCH', '/organizations/by-reference', 'GET, HEAD'],
    ['POST', '/organizations/01890000-0000-7000-8000-000000000000', 'GET, HEAD, PATCH'],
  ])('%s %s answers 405 with what is allowed', async (method, path, allowed) => {
    const answer = await api.send(method, path)
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(answer.headers.get('Allow')).toBe(allowed)
  })
})
