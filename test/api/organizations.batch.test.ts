import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Answer, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
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
beforeAll(async () => {
  api = await createApi()
  tenant = await createTenant(api.db)
})
afterAll(() => api.close())

const post = (items: unknown, of = tenant): Promise<Answer<any>> =>
  api.send('POST', '/organizations/batch', { key: of.key, headers: freshKey(), body: { items } })

const names = (rows: Fields[]) => rows.map((row) => row['name'])

describe('POST /organizations/batch 200', () => {
  it('reaches every error code row by row and saves the others', async () => {
    const ours = await createTenant(api.db)
    const id = await storeOrganization(api.db, ours, { external_reference: 'R-1', name: 'One' })
    await storeContact(api.db, ours, id, { external_reference: 'P-1' })
    await storeOrganization(api.db, ours, {
      external_reference: 'R-2',
      name: 'Two',
      account_number: 'AC-2',
    })
    for (const name of ['Three', 'Four']) {
      await storeOrganization(api.db, ours, { name, account_number: 'AC-3' })
    }
    const before = await storedDirectory(api.db, ours)

    const answer = await post(
      [
        lender({ external_reference: 'R-10', name: 'Ten' }),
        lender({ external_reference: 'R-1', name: 'Two' }),
        lender({ account_number: 'AC-3' }),
        lender({ external_reference: 'R-1', account_number: 'AC-2' }),
        lender({ external_reference: 'R-1', contacts: [contact({ external_reference: 'P-2' })] }),
        amc({ external_reference: 'R-11', phone: null, city: null }),
        lender({ external_reference: 'R-1', name: 'One again' }),
      ],
      ours,
    )

    expect(answer.status).toBe(200)
    const error = (index: number, external_reference: string | null, error_code: string) => ({
      index,
      external_reference,
      action: 'error',
      id: null,
      error_code,
      message: expect.stringMatching(/./),
    })
    expect(answer.body).toEqual({
      results: [
        {
          index: 0,
          external_reference: 'R-10',
          action: 'created',
          id: expect.any(String),
          error_code: null,
          message: null,
        },
        error(1, 'R-1', 'name_conflict'),
        error(2, null, 'ambiguous_match'),
        error(3, 'R-1', 'external_reference_conflict'),
        error(4, 'R-1', 'contact_conflict'),
        error(5, 'R-11', 'validation_error'),
        { index: 6, external_reference: 'R-1', action: 'updated', id, error_code: null, message: null },
      ],
    })
    expect(answer.body.results[5].message).toMatch(/phone.*city/)

    const after = await storedDirectory(api.db, ours)
    expect(names(after)).toEqual(['Four', 'One again', 'Ten', 'Three', 'Two'])
    expect(after.filter((row) => !['Ten', 'One again'].includes(String(row['name'])))).toEqual(
      before.filter((row) => row['name'] !== 'One'),
    )
    expect((await eventsOf(api.db, ours)).map(({ data }) => data)).toEqual([
      { id: answer.body.results[0].id, external_reference: 'R-10', client_type: 'lender', action: 'created' },
      { id, external_reference: 'R-1', client_type: 'lender', action: 'updated' },
    ])
  })

  it('lets a later row update what an earlier one created', async () => {
    const ours = await createTenant(api.db)
    const { body } = await post(
      [
        lender({ name: 'First', account_number: 'AC-1' }),
        lender({ name: 'Second', account_number: 'AC-1' }),
        lender({ name: 'Second', external_reference: 'R-1' }),
      ],
      ours,
    )
    expect(body.results).toMatchObject([
      { action: 'created' },
      { action: 'updated', id: body.results[0].id },
      { action: 'updated', id: body.results[0].id },
    ])
    expect(await storedDirectory(api.db, ours)).toMatchObject([
      { name: 'Second', account_number: 'AC-1', external_reference: 'R-1' },
    ])
  })

  it('judges a later row by what an earlier one left', async () => {
    const ours = await createTenant(api.db)
    const { body } = await post(
      [
        lender({ name: 'First', external_reference: 'R-1' }),
        lender({ name: 'First', external_reference: 'R-2' }),
        lender({ name: 'Elsewhere', external_reference: 'R-1' }),
        lender({ name: 'First', external_reference: 'R-2' }),
      ],
      ours,
    )
    expect(body.results.map((row: Fields) => row['error_code'] ?? row['action'])).toEqual([
      'created',
      'name_conflict',
      'updated',
      'created',
    ])
  })

  it('judges rows that have nothing in common but what a third makes of both', async () => {
    const ours = await createTenant(api.db)
    const { body } = await post(
      [
        lender({ name: 'First', external_reference: 'R-1' }),
        lender({ name: 'Second', external_reference: 'R-1' }),
        lender({ name: 'First', external_reference: 'R-2' }),
        lender({ name: 'Second' }),
        lender({ name: 'First' }),
      ],
      ours,
    )
    const [one, , two] = body.results
    expect(body.results).toMatchObject([
      { action: 'created' },
      { action: 'updated', id: one.id },
      { action: 'created' },
      { action: 'updated', id: one.id },
      { action: 'updated', id: two.id },
    ])
    expect(two.id).not.toBe(one.id)
  })

  it('gives the name that one row gives up to another', async () => {
    const ours = await createTenant(api.db)
    const id = await storeOrganization(api.db, ours, { external_reference: 'R-1', name: 'Old' })
    const { body } = await post(
      [
        lender({ name: 'New', external_reference: 'R-1' }),
        lender({ name: 'Old', external_reference: 'R-2' }),
      ],
      ours,
    )
    expect(body.results).toMatchObject([{ action: 'updated', id }, { action: 'created' }])
    expect(names(await storedDirectory(api.db, ours))).toEqual(['New', 'Old'])
  })

  it('emits the events of a batch in the order of its rows', async () => {
    const ours = await createTenant(api.db)
    const references = Array.from({ length: 30 }, (_, index) => `R-${(index * 7) % 25}`)
    await post(references.map((one) => lender({ external_reference: one, name: one })), ours)
    const events = await eventsOf(api.db, ours)
    expect(events.map(({ data }) => data.external_reference)).toEqual(references)
  })

  it('takes 100 organizations with 25 contacts each', async () => {
    const ours = await createTenant(api.db)
    const people = Array.from({ length: 25 }, (_, index) =>
      contact({ external_reference: `P-${index}`, email: `p${index}@bank.example` }),
    )
    const items = Array.from({ length: 100 }, (_, index) =>
      amc({ external_reference: `R-${index}`, contacts: people }),
    )
    for (const action of ['created', 'updated']) {
      const { body } = await post(items, ours)
      expect(new Set(body.results.map((row: Fields) => row['action']))).toEqual(new Set([action]))
    }
    const { rows } = await api.db.owner.query(
      `select count(distinct organization_id)::integer as organizations, count(*)::integer as contacts
      from app.contacts where tenant_id = $1`,
      [ours.id],
    )
    expect(rows).toEqual([{ organizations: 100, contacts: 2500 }])
  })

  it('adds one job for all of its events', async () => {
    const ours = await createTenant(api.db)
    await api.db.owner.query(
      `insert into outbox.endpoints (tenant_id, url, event_types, secret)
      values ($1, 'https://partner.example/hook', '{organization.upserted}', '\\x00')`,
      [ours.id],
    )
    await post([lender(), lender(), lender()], ours)
    const { rows } = await api.db.owner.query(
      `select count(*)::integer as events, count(distinct batch_id)::integer as batches
      from outbox.events where tenant_id = $1`,
      [ours.id],
    )
    expect(rows).toEqual([{ events: 3, batches: 1 }])
  })

  it('replays its results to the same Idempotency-Key', async () => {
    const ours = await createTenant(api.db)
    const request = { key: ours.key, headers: freshKey(), body: { items: [lender(), amc({ city: null })] } }
    const first = await api.send('POST', '/organizations/batch', request)
    const second = await api.send('POST', '/organizations/batch', request)
    expect(second).toMatchObject({ status: 200, text: first.text })
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await eventsOf(api.db, ours)).toHaveLength(1)
  })
})

describe('POST /organizations/batch 422 writes nothing', () => {
  it.each<[string, unknown, (string | number)[], string]>([
    ['a bad phone in one row', [lender(), lender({ phone: '12' })], [1, 'phone'], 'phone'],
    ['an unknown client_type', [lender({ client_type: 'x' }), lender()], [0, 'client_type'], 'enum'],
    ['an unknown property', [lender(), lender(), lender({ fax: '1' })], [2, 'fax'], 'extra_forbidden'],
    ['an item that is no object', [lender(), 'x'], [1], 'object_type'],
    ['no items', undefined, [], 'missing'],
    ['null items', null, [], 'array_type'],
    ['empty items', [], [], 'list_too_small'],
    ['101 items', Array.from({ length: 101 }, () => lender()), [], 'list_too_large'],
  ])('on %s', async (_, items, loc, type) => {
    const ours = await createTenant(api.db)
    const answer = await post(items, ours)
    expect(answer.status).toBe(422)
    expect(answer.body.code).toBe('validation_error')
    expect(answer.body.detail).toEqual([
      { loc: ['body', 'items', ...loc], msg: expect.any(String), type },
    ])
    expect(await storedDirectory(api.db, ours)).toEqual([])
  })

  it('lists the faults of all rows', async () => {
    const answer = await post([lender({ phone: '12' }), lender(), lender({ state: 'XX' })])
    expect(answer.body.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
      ['body', 'items', 0, 'phone'],
      ['body', 'items', 2, 'state'],
    ])
  })
})
