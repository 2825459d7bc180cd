import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Answer, type TestApi, createApi } from '../setup/api.ts'
import { type Tenant, createKey, createTenant } from '../setup/database.ts'
import { storeLead, storedLeads } from '../setup/leads.ts'
import { type Fields, eventsOf, storeOrganization } from '../setup/organizations.ts'

const stored = {
  external_reference: 'DEAL-1',
  external_source: 'crm',
  title: 'Twelve duplexes',
  stage: 'proposal',
  amount_cents: 125_000,
  notes: 'Call first.',
}

let api: TestApi
let tenant: Tenant
let bank: string
let id: string
beforeAll(async () => {
  api = await createApi()
})
beforeEach(async () => {
  tenant = await createTenant(api.db)
  bank = await storeOrganization(api.db, tenant)
  id = await storeLead(api.db, tenant, bank, stored)
})
afterAll(() => api.close())

const patch = (body: unknown, key = tenant.key): Promise<Answer<any>> =>
  api.send('PATCH', `/leads/${id}`, { key, body })

describe('PATCH /leads/{id} 200', () => {
  it.each<[string, Fields]>([
    ['stage', { stage: 'won' }],
    ['title', { title: 'Ten duplexes' }],
    ['amount_cents', { amount_cents: 0 }],
    ['notes', { notes: 'Ring twice.' }],
    ['external_source', { external_source: 'erp' }],
  ])('changes %s alone', async (_, body) => {
    const before = await api.send('GET', `/leads/${id}`, { key: tenant.key })
    const answer = await patch(body)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...before.body,
      ...body,
      updated_at: expect.any(String),
      action: 'updated',
    })
    expect(answer.body.updated_at > before.body.updated_at).toBe(true)
    expect(await storedLeads(api.db, tenant)).toEqual([
      { id, organization_id: bank, ...stored, ...body },
    ])
    expect(await eventsOf(api.db, tenant)).toEqual([
      {
        type: 'lead.upserted',
        data: { id, external_reference: 'DEAL-1', organization_id: bank, action: 'updated' },
      },
    ])
  })

  it('clears with null or an empty string', async () => {
    const answer = await patch({ amount_cents: null, notes: null, external_source: ' ' })
    expect(answer).toMatchObject({
      status: 200,
      body: { stage: 'proposal', amount_cents: null, notes: null, external_source: null },
    })
  })

  it('moves to any stage and back', async () => {
    for (const stage of ['lost', 'lead', 'won', 'qualified', 'proposal']) {
      expect(await patch({ stage })).toMatchObject({ status: 200, body: { stage } })
    }
  })

  it('removes value language from notes', async () => {
    const answer = await patch({ notes: 'Call first. AVM says 410,000.' })
    expect(answer.body.notes).toBe('Call first.')
    expect((await patch({ notes: 'Zestimate $1' })).body.notes).toBe(null)
  })

  it('needs no Idempotency-Key and emits an event each time, also when nothing changes', async () => {
    for (const _ of [1, 2]) expect((await patch({ stage: 'won' })).status).toBe(200)
    expect(await eventsOf(api.db, tenant)).toHaveLength(2)
  })
})

describe('PATCH /leads/{id} leaves alone', () => {
  afterEach(async () => {
    expect(await storedLeads(api.db, tenant)).toEqual([{ id, organization_id: bank, ...stored }])
    expect(await eventsOf(api.db, tenant)).toEqual([])
  })

  it.each<[string, unknown, (string | number)[], string]>([
    ['an empty body', {}, [], 'missing'],
    ['a list', [], [], 'object_type'],
    ['a null title', { title: null }, ['title'], 'string_type'],
    ['a blank title', { title: ' ' }, ['title'], 'string_too_short'],
    ['a null stage', { stage: null }, ['stage'], 'enum'],
    ['a blank stage', { stage: ' ' }, ['stage'], 'enum'],
    ['an unknown stage', { stage: 'closed' }, ['stage'], 'enum'],
    ['a bad amount', { amount_cents: 100_000_000_001 }, ['amount_cents'], 'number_too_large'],
    ['a fraction of a cent', { amount_cents: 0.5 }, ['amount_cents'], 'int_type'],
    ['a reference', { external_reference: 'x' }, ['external_reference'], 'extra_forbidden'],
    ['a move by id', { organization_id: null }, ['organization_id'], 'extra_forbidden'],
    [
      'a move by reference',
      { organization_external_reference: 'x' },
      ['organization_external_reference'],
      'extra_forbidden',
    ],
    ['a nested organization', { title: 'x', organization: {} }, ['organization'], 'extra_forbidden'],
  ])('422 on %s', async (_, body, loc, type) => {
    const answer = await patch(body)
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail).toEqual([
      { loc: ['body', ...loc], msg: expect.stringMatching(/./), type },
    ])
  })

  it('404 for another company', async () => {
    const theirs = await createTenant(api.db)
    expect(await patch({ stage: 'won' }, theirs.key)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })

  it('403 without the scope leads:write', async () => {
    const key = await createKey(api.db, tenant.id, { scopes: ['leads:read'] })
    expect(await patch({ stage: 'won' }, key)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    })
  })
})

describe('PATCH /leads/{id} of nobody', () => {
  it.each([
    ['01890000-0000-7000-8000-000000000000', { status: 404, body: { code: 'not_found' } }],
    ['nonsense', { status: 422, body: { detail: [{ loc: ['path', 'id'] }] } }],
  ])('answers for %s', async (unknownId, refusal) => {
    id = unknownId
    expect(await patch({ stage: 'won' })).toMatchObject(refusal)
  })
})
