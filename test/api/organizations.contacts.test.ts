import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Answer, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
import {
  type Fields,
  contact,
  contactRecord,
  eventsOf,
  lender,
  storeContact,
  storedDirectory,
  storeOrganization,
} from '../setup/organizations.ts'
import { type ContactCase, contactCases } from './organizations.contacts.cases.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
})
afterAll(() => api.close())

type Send = (tenant: Tenant, id: string, contacts: unknown) => Promise<Answer<any>>

const post: Send = (tenant, _, contacts) =>
  api.send('POST', '/organizations', {
    key: tenant.key,
    headers: freshKey(),
    body: lender({ external_reference: 'R-1', name: 'Alpha', contacts }),
  })

const postBatch: Send = (tenant, _, contacts) =>
  api.send('POST', '/organizations/batch', {
    key: tenant.key,
    headers: freshKey(),
    body: { items: [lender({ external_reference: 'R-1', name: 'Alpha', contacts })] },
  })

const patch: Send = (tenant, id, contacts) =>
  api.send('PATCH', `/organizations/${id}`, { key: tenant.key, body: { contacts } })

const byName = (rows: Fields[]) =>
  rows.toSorted((a, b) => String(a['display_name']).localeCompare(String(b['display_name'])))

async function arrange({ stored }: ContactCase) {
  const tenant = await createTenant(api.db)
  const id = await storeOrganization(api.db, tenant, { external_reference: 'R-1', name: 'Alpha' })
  for (const row of stored) await storeContact(api.db, tenant, id, row)
  return { tenant, id, before: await storedDirectory(api.db, tenant) }
}

describe.each([
  { name: 'POST /organizations', send: post },
  { name: 'POST /organizations/batch', send: postBatch },
  { name: 'PATCH /organizations/{id}', send: patch },
])('contacts of $name, when', ({ send }) => {
  const conflicts = contactCases.filter(({ then }) => then === 'contact_conflict')
  const merges = contactCases.filter(({ then }) => then !== 'contact_conflict')

  it.each(merges)('$when, are merged', async (given) => {
    const { tenant, id, before: scene } = await arrange(given)
    const before = scene.flatMap((row) => row['contacts'] as Fields[])
    expect((await send(tenant, id, given.sent)).status).toBe(200)
    const { body } = await api.send('GET', `/organizations/${id}`, { key: tenant.key })
    const expected = (given.then as Fields[]).map((parts) =>
      expect.objectContaining(contactRecord(parts)),
    )
    expect(byName(body.contacts)).toEqual(expected)
    const ids = new Set(body.contacts.map((row: Fields) => row['id']))
    for (const kept of before) expect(ids).toContain(kept['id'])
    expect(before).toHaveLength(given.stored.length)
  })

  it.each(conflicts)('$when, conflict and change nothing', async (given) => {
    const { tenant, id, before } = await arrange(given)
    const answer = await send(tenant, id, given.sent)
    const code = answer.body.results?.[0].error_code ?? answer.body.code
    expect(code).toBe('contact_conflict')
    expect(answer.status).toBe(send === postBatch ? 200 : 409)
    expect(await storedDirectory(api.db, tenant)).toEqual(before)
    expect(await eventsOf(api.db, tenant)).toEqual([])
  })
})

describe('contacts', () => {
  it('may have an e-mail and a reference that one of another organization has', async () => {
    const tenant = await createTenant(api.db)
    const shared = contact({ external_reference: 'P-1', is_primary: true })
    const other = await storeOrganization(api.db, tenant)
    await storeContact(api.db, tenant, other, shared)
    const answer = await post(tenant, '', [shared])
    expect(answer).toMatchObject({ status: 201, body: { contacts: [shared] } })
  })

  it('of a new organization that is refused are not saved either', async () => {
    const tenant = await createTenant(api.db)
    await storeOrganization(api.db, tenant, { external_reference: 'R-2', name: 'Alpha' })
    expect((await post(tenant, '', [contact()])).status).toBe(409)
    const { rows } = await api.db.owner.query('select from app.contacts where tenant_id = $1', [
      tenant.id,
    ])
    expect(rows).toEqual([])
  })

  it('are listed in the order of their coming, then of the request', async () => {
    const tenant = await createTenant(api.db)
    const names = ['Zoe', 'Ann', 'Max']
    const people = names.map((display_name) =>
      contact({ display_name, email: `${display_name}@bank.example` }),
    )
    await post(tenant, '', people)
    const { body } = await post(tenant, '', [
      contact({ display_name: 'Abe', email: 'abe@bank.example' }),
      ...people.toReversed(),
    ])
    expect(body.contacts.map((row: Fields) => row['display_name'])).toEqual([...names, 'Abe'])
  })

  it('come as many as 25 in a request, and no more', async () => {
    const tenant = await createTenant(api.db)
    const people = Array.from({ length: 26 }, (_, index) =>
      contact({ email: `p${index}@bank.example` }),
    )
    expect((await post(tenant, '', people)).body).toMatchObject({
      code: 'validation_error',
      detail: [{ loc: ['body', 'contacts'], type: 'list_too_large' }],
    })
    const answer = await post(tenant, '', people.slice(1))
    expect(answer.status).toBe(201)
    expect(answer.body.contacts).toHaveLength(25)
  })
})

describe('a fault of form in a contact is 422', () => {
  const ann = contact({ external_reference: 'P-1', is_primary: true })

  it.each<[string, Fields[], (string | number)[], string]>([
    ['no display_name', [contact({ display_name: undefined })], [0, 'display_name'], 'missing'],
    ['no email', [contact({ email: undefined })], [0, 'email'], 'missing'],
    ['a null email', [contact({ email: null })], [0, 'email'], 'string_type'],
    ['a bad email', [contact({ email: 'ann' })], [0, 'email'], 'email'],
    ['no contact_type', [contact({ contact_type: undefined })], [0, 'contact_type'], 'missing'],
    ['a bad contact_type', [contact({ contact_type: 'boss' })], [0, 'contact_type'], 'enum'],
    ['a bad phone', [contact({ phone: '12' })], [0, 'phone'], 'phone'],
    ['an unknown property', [contact({ id: 'x' })], [0, 'id'], 'extra_forbidden'],
    ['other without a label', [contact({ contact_type: 'other' })], [0, 'other_label'], 'missing'],
    [
      'other with a blank label',
      [contact({ contact_type: 'other', other_label: ' ' })],
      [0, 'other_label'],
      'missing',
    ],
    [
      'two with one reference',
      [ann, contact({ external_reference: ' P-1 ', email: 'b@b.example' })],
      [1, 'external_reference'],
      'repeated',
    ],
    ['two with one e-mail', [ann, contact()], [1, 'email'], 'repeated'],
    [
      'two with one e-mail in another case',
      [ann, contact({ email: 'ANN@SUMMIT.EXAMPLE' })],
      [1, 'email'],
      'repeated',
    ],
    [
      'two primaries',
      [ann, contact({ email: 'b@b.example', is_primary: true })],
      [1, 'is_primary'],
      'repeated',
    ],
  ])('with %s', async (_, contacts, loc, type) => {
    const scene = await arrange({ when: '', stored: [contact()], sent: [], then: [] })
    const places: [Send, (string | number)[]][] = [
      [post, ['body', 'contacts']],
      [postBatch, ['body', 'items', 0, 'contacts']],
      [patch, ['body', 'contacts']],
    ]
    for (const [send, place] of places) {
      const answer = await send(scene.tenant, scene.id, contacts)
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
      expect(answer.body.detail).toEqual([
        { loc: [...place, ...loc], msg: expect.any(String), type },
      ])
    }
    expect(await storedDirectory(api.db, scene.tenant)).toEqual(scene.before)
  })
})
