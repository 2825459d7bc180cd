import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Answer, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { type Tenant, createKey, createTenant } from '../setup/database.ts'
import { lead, storedLeads } from '../setup/leads.ts'
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
let bank: string
beforeAll(async () => {
  api = await createApi()
})
beforeEach(async () => {
  tenant = await createTenant(api.db)
  bank = await storeOrganization(api.db, tenant, { external_reference: 'ORG-1', name: 'Bank' })
})
afterAll(() => api.close())

const post = (items: unknown, key = tenant.key): Promise<Answer<any>> =>
  api.send('POST', '/leads/batch', { key, headers: freshKey(), body: { items } })

const saved = (index: number, external_reference: string | null, action: string, id: unknown) => ({
  index,
  external_reference,
  action,
  id,
  error_code: null,
  message: null,
})

const error = (index: number, external_reference: string | null, error_code: string) => ({
  index,
  external_reference,
  action: 'error',
  id: null,
  error_code,
  message: expect.stringMatching(/./),
})

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe('POST /leads/batch 200', () => {
  it('reaches every error code row by row and saves the others', async () => {
    await storeContact(api.db, tenant, bank, { external_reference: 'P-1' })
    await storeOrganization(api.db, tenant, {
      external_reference: 'ORG-2',
      name: 'Two',
      account_number: 'AC-2',
    })
    for (const name of ['Three', 'Four']) {
      await storeOrganization(api.db, tenant, { name, account_number: 'AC-3' })
    }
    const before = await storedDirectory(api.db, tenant)
    const nested = (external_reference: string, parts: Fields) =>
      lead({ external_reference, organization: lender(parts) })

    const answer = await post([
      lead({ external_reference: 'DEAL-0', organization_id: bank }),
      lead({ external_reference: 'DEAL-1', organization_id: crypto.randomUUID() }),
      lead({ organization_external_reference: 'ORG-9' }),
      nested('DEAL-3', { external_reference: 'ORG-1', name: 'Two' }),
      nested('DEAL-4', { account_number: 'AC-3' }),
      nested('DEAL-5', { external_reference: 'ORG-1', account_number: 'AC-2' }),
      nested('DEAL-6', {
        external_reference: 'ORG-1',
        contacts: [contact({ external_reference: 'P-2' })],
      }),
      lead({ external_reference: 'DEAL-7', organization: amc({ phone: null, city: null }) }),
      lead({ external_reference: 'DEAL-8', organization_external_reference: 'ORG-1' }),
    ])

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      results: [
        saved(0, 'DEAL-0', 'created', uuid),
        error(1, 'DEAL-1', 'not_found'),
        error(2, null, 'not_found'),
        error(3, 'DEAL-3', 'name_conflict'),
        error(4, 'DEAL-4', 'ambiguous_match'),
        error(5, 'DEAL-5', 'external_reference_conflict'),
        error(6, 'DEAL-6', 'contact_conflict'),
        error(7, 'DEAL-7', 'validation_error'),
        saved(8, 'DEAL-8', 'created', uuid),
      ],
    })
    expect(await storedDirectory(api.db, tenant)).toEqual(before)
    expect(await storedLeads(api.db, tenant)).toMatchObject([
      { external_reference: 'DEAL-0', organization_id: bank },
      { external_reference: 'DEAL-8', organization_id: bank },
    ])
    expect(await eventsOf(api.db, tenant)).toMatchObject([
      { type: 'lead.upserted', data: { id: answer.body.results[0].id, action: 'created' } },
      { type: 'lead.upserted', data: { id: answer.body.results[8].id, action: 'created' } },
    ])
  })

  it('refuses rows with a nested organization alone to a key that may not write those', async () => {
    const key = await createKey(api.db, tenant.id, { scopes: ['leads:write'] })
    const before = await storedDirectory(api.db, tenant)
    const { status, body } = await post(
      [
        lead({ external_reference: 'DEAL-0', organization: lender() }),
        lead({ external_reference: 'DEAL-1', organization_id: bank }),
        lead({ external_reference: 'DEAL-2', organization: lender({ name: 'Bank' }) }),
      ],
      key,
    )
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        results: [
          error(0, 'DEAL-0', 'insufficient_scope'),
          saved(1, 'DEAL-1', 'created', uuid),
          error(2, 'DEAL-2', 'insufficient_scope'),
        ],
      },
    })
    expect(body.results[0].message).toContain('organizations:write')
    expect(await storedDirectory(api.db, tenant)).toEqual(before)
    expect(await eventsOf(api.db, tenant)).toHaveLength(1)
  })

  it('lets a later row use and update what an earlier one saved', async () => {
    const { body } = await post([
      lead({ organization_external_reference: 'ORG-9' }),
      lead({
        external_reference: 'DEAL-1',
        stage: 'won',
        organization: lender({ external_reference: 'ORG-9', name: 'Nine' }),
      }),
      lead({ external_reference: 'DEAL-2', organization_external_reference: 'ORG-9' }),
      lead({ external_reference: 'DEAL-1', title: 'Again', organization_id: bank }),
      lead({ organization: lender({ name: 'Nine', city: 'Reno' }) }),
    ])
    const [, first] = body.results
    expect(body.results).toEqual([
      error(0, null, 'not_found'),
      saved(1, 'DEAL-1', 'created', uuid),
      saved(2, 'DEAL-2', 'created', uuid),
      saved(3, 'DEAL-1', 'updated', first.id),
      saved(4, null, 'created', uuid),
    ])
    const nine = (await storedDirectory(api.db, tenant))[1]
    expect(nine).toMatchObject({ name: 'Nine', city: 'Reno' })
    expect(await storedLeads(api.db, tenant)).toMatchObject([
      { id: first.id, title: 'Again', stage: 'won', organization_id: bank },
      { external_reference: 'DEAL-2', organization_id: nine?.['id'] },
      { external_reference: null, organization_id: nine?.['id'] },
    ])
    expect((await eventsOf(api.db, tenant)).map(({ type, data }) => `${type} ${data['action']}`)).toEqual([
      'organization.upserted created',
      'lead.upserted created',
      'lead.upserted created',
      'lead.upserted updated',
      'organization.upserted updated',
      'lead.upserted created',
    ])
  })

  it('takes 100 leads, each with an organization and 25 contacts, with one job', async () => {
    await api.db.owner.query(
      `insert into outbox.endpoints (tenant_id, url, event_types, secret)
      values ($1, 'https://partner.example/hook', '{lead.upserted}', '\\x00')`,
      [tenant.id],
    )
    const contacts = Array.from({ length: 25 }, (_, index) =>
      contact({ external_reference: `P-${index}`, email: `p${index}@bank.example` }),
    )
    const items = Array.from({ length: 100 }, (_, index) =>
      lead({
        external_reference: `DEAL-${index}`,
        organization: amc({ external_reference: `ORG-${index + 10}`, contacts }),
      }),
    )
    for (const action of ['created', 'updated']) {
      const { body } = await post(items)
      expect(new Set(body.results.map((row: Fields) => row['action']))).toEqual(new Set([action]))
    }
    const { rows } = await api.db.owner.query(
      `select count(*)::integer as events, count(distinct batch_id)::integer as batches
      from outbox.events where tenant_id = $1`,
      [tenant.id],
    )
    expect(rows).toEqual([{ events: 400, batches: 2 }])
    expect(await storedLeads(api.db, tenant)).toHaveLength(100)
  })

  it('replays its results to the same Idempotency-Key', async () => {
    const items = [lead({ organization_id: bank }), lead({ organization_external_reference: 'no' })]
    const request = { key: tenant.key, headers: freshKey(), body: { items } }
    const first = await api.send('POST', '/leads/batch', request)
    const second = await api.send('POST', '/leads/batch', request)
    expect(second).toMatchObject({ status: 200, text: first.text })
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await storedLeads(api.db, tenant)).toHaveLength(1)
  })
})

describe('POST /leads/batch 422 writes nothing', () => {
  const good = () => lead({ organization_id: bank })

  it.each<[string, () => unknown, (string | number)[], string]>([
    ['a missing title', () => [good(), good(), good(), { organization_id: bank }], [3, 'title'], 'missing'],
    ['no locator in one row', () => [good(), lead()], [1], 'missing'],
    ['two locators in one row', () => [{ ...good(), organization: lender() }], [0], 'too_many_locators'],
    ['an unknown stage', () => [{ ...good(), stage: 'x' }, good()], [0, 'stage'], 'enum'],
    ['a bad amount', () => [good(), { ...good(), amount_cents: -1 }], [1, 'amount_cents'], 'number_too_small'],
    [
      'a bad nested organization',
      () => [good(), lead({ organization: lender({ state: 'XX' }) })],
      [1, 'organization', 'state'],
      'state',
    ],
    ['an unknown property', () => [{ ...good(), fee: 1 }], [0, 'fee'], 'extra_forbidden'],
    ['an item that is no object', () => [good(), 'x'], [1], 'object_type'],
    ['no items', () => undefined, [], 'missing'],
    ['null items', () => null, [], 'array_type'],
    ['empty items', () => [], [], 'list_too_small'],
    ['101 items', () => Array.from({ length: 101 }, good), [], 'list_too_large'],
  ])('on %s', async (_, items, loc, type) => {
    const answer = await post(items())
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_error' } })
    expect(answer.body.detail).toEqual([
      { loc: ['body', 'items', ...loc], msg: expect.stringMatching(/./), type },
    ])
    expect(await storedLeads(api.db, tenant)).toEqual([])
    expect(await eventsOf(api.db, tenant)).toEqual([])
  })
})

describe('other refusals of POST /leads/batch', () => {
  it('400 without an Idempotency-Key', async () => {
    const answer = await api.send('POST', '/leads/batch', { key: tenant.key, body: {} })
    expect(answer).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
  })

  it('403 without the scope leads:write', async () => {
    const key = await createKey(api.db, tenant.id, { scopes: ['organizations:write'] })
    const answer = await post([lead({ organization: lender() })], key)
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })
})
