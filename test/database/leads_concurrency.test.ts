// Parallel requests on the leads of one tenant: what they leave is what some order of
// them, one after the other, would have left. The server is slow to resolve a deadlock
// here, so that no retry hides one: it ends in a time-out.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Answer, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
import { lead, storeLead, storedLeads } from '../setup/leads.ts'
import {
  type Fields,
  contact,
  eventsOf,
  lender,
  storedDirectory,
  storeOrganization,
} from '../setup/organizations.ts'

let api: TestApi
let tenant: Tenant
let bank: string
beforeAll(async () => {
  api = await createApi()
  const { rows } = await api.db.owner.query<{ name: string }>('select current_database() as name')
  await api.db.owner.query(`alter database ${rows[0]?.name} set deadlock_timeout = '10min'`)
})
beforeEach(async () => {
  tenant = await createTenant(api.db)
  bank = await storeOrganization(api.db, tenant, { external_reference: 'Bank', name: 'Bank' })
})
afterAll(() => api.close())

const write = (path: string, body: unknown): Promise<Answer<any>> =>
  api.send('POST', path, { key: tenant.key, headers: freshKey(), body })

const post = (body: unknown) => write('/leads', body)
const postBatch = (items: Fields[]) => write('/leads/batch', { items })

const patch = (path: string, body: Fields): Promise<Answer<any>> =>
  api.send('PATCH', path, { key: tenant.key, body })

const count = (values: unknown[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(values)].map((value) => [
      String(value),
      values.filter((other) => other === value).length,
    ]),
  )

const range = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index))

const actionsOf = (answers: Answer<any>[]) =>
  answers.flatMap(({ body }) => (body.results ?? [body]).map((row: Fields) => row['action']))

describe('of 20 parallel upserts with one reference', () => {
  it.each<[string, (index: number) => Fields]>([
    ['by id', () => ({ organization_id: bank })],
    ['by reference', () => ({ organization_external_reference: 'Bank' })],
    ['by a nested organization that is there', () => ({ organization: lender({ name: 'Bank' }) })],
    ['by any locator', (index) =>
      [
        { organization_id: bank },
        { organization_external_reference: 'Bank' },
        { organization: lender({ name: 'Bank' }) },
      ][index % 3] ?? {},
    ],
  ])('%s exactly one creates', async (_, locator) => {
    const answers = await Promise.all(
      range(20, (index) =>
        post(lead({ external_reference: 'DEAL', title: `Title ${index}`, ...locator(index) })),
      ),
    )
    expect(count(answers.map(({ status }) => status))).toEqual({ 201: 1, 200: 19 })
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await storedLeads(api.db, tenant)).toHaveLength(1)
  })

  it('exactly one creates the nested organization, too', async () => {
    const organization = lender({ external_reference: 'New', contacts: [contact()] })
    const answers = await Promise.all(
      range(20, () => post(lead({ external_reference: 'DEAL', organization }))),
    )
    expect(count(answers.map(({ status }) => status))).toEqual({ 201: 1, 200: 19 })
    expect(await storedDirectory(api.db, tenant)).toHaveLength(2)
    const events = await eventsOf(api.db, tenant)
    expect(count(events.map(({ type, data }) => `${type} ${String(data['action'])}`))).toEqual({
      'organization.upserted created': 1,
      'organization.upserted updated': 19,
      'lead.upserted created': 1,
      'lead.upserted updated': 19,
    })
  })
})

describe('of 20 parallel leads with one new nested organization', () => {
  it('one creates it, also beside upserts of the organization itself', async () => {
    const organization = lender({ external_reference: 'New' })
    const answers = await Promise.all([
      ...range(20, (index) => post(lead({ external_reference: `DEAL-${index}`, organization }))),
      ...range(10, () => write('/organizations', organization)),
    ])
    for (const { status } of answers) expect([200, 201]).toContain(status)
    expect(await storedDirectory(api.db, tenant)).toHaveLength(2)
    expect(await storedLeads(api.db, tenant)).toHaveLength(20)
    const organizationEvents = (await eventsOf(api.db, tenant)).filter(
      ({ type }) => type === 'organization.upserted',
    )
    expect(count(organizationEvents.map(({ data }) => data['action']))).toEqual({
      created: 1,
      updated: 29,
    })
  })
})

describe('parallel changes of one lead', () => {
  it('lose nothing of one another', async () => {
    const id = await storeLead(api.db, tenant, bank, { external_reference: 'DEAL' })
    const other = await storeOrganization(api.db, tenant, { external_reference: 'Other' })
    for (const round of range(20, String)) {
      const answers = await Promise.all([
        patch(`/leads/${id}`, { notes: round }),
        patch(`/leads/${id}`, { external_source: round }),
        post({ external_reference: 'DEAL', title: round, organization_id: other }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(await storedLeads(api.db, tenant)).toMatchObject([
        { notes: round, external_source: round, title: round, organization_id: other },
      ])
    }
  })
})

describe('parallel batches', () => {
  const nested = (index: number) =>
    lead({
      external_reference: `DEAL-${index}`,
      organization: lender({
        external_reference: `ORG-${index}`,
        name: `Name ${index}`,
        contacts: [contact({ email: `p${index}@bank.example` })],
      }),
    })

  it('with the same rows in opposite order all succeed and create none twice', async () => {
    const rows = range(50, nested)
    const answers = await Promise.all(
      range(8, (index) => postBatch(index % 2 ? rows : rows.toReversed())),
    )
    expect(count(actionsOf(answers))).toEqual({ created: 50, updated: 7 * 50 })
    expect(await storedLeads(api.db, tenant)).toHaveLength(50)
    expect(await storedDirectory(api.db, tenant)).toHaveLength(51)
    expect(await eventsOf(api.db, tenant)).toHaveLength(2 * 8 * 50)
  })

  // A new lead keeps others from renaming its organization until it is committed.
  it('of new leads and of organizations that are renamed meanwhile all succeed', async () => {
    await postBatch(range(60, nested))
    const renamed = (index: number, round: number) =>
      lender({ external_reference: `ORG-${index}`, name: `Name ${index} in round ${round}` })
    const located = (index: number) => lead({ organization_external_reference: `ORG-${index}` })
    const answers = await Promise.all(
      range(6, (round) => [
        postBatch(range(60, located)),
        write('/organizations/batch', { items: range(60, (index) => renamed(59 - index, round)) }),
        postBatch(
          range(60, (index) =>
            index % 2
              ? located(index)
              : lead({ organization: renamed(index, round + 10) }),
          ),
        ),
      ]).flat(),
    )
    expect(count(actionsOf(answers))).toEqual({ created: 6 * 120, updated: 6 * 60 })
  })

  it('that share organizations and no lead go on beside single requests', async () => {
    const organizations = await Promise.all(
      range(10, (index) => storeOrganization(api.db, tenant, { external_reference: `ORG-${index}` })),
    )
    const rows = (batch: number) =>
      range(20, (index) =>
        lead({
          external_reference: `DEAL-${batch}-${index}`,
          organization_external_reference: `ORG-${(batch % 2 ? index : 19 - index) % 10}`,
        }),
      )
    const answers = await Promise.all([
      ...range(8, (batch) => postBatch(rows(batch))),
      ...organizations.map((id, index) => patch(`/organizations/${id}`, { name: `New ${index}` })),
      ...organizations.map((organization_id) => post(lead({ organization_id }))),
    ])
    for (const { status } of answers) expect([200, 201]).toContain(status)
    const actions = count(actionsOf(answers))
    expect(actions).toEqual({ created: 8 * 20 + 10, updated: 10 })
    expect(await storedLeads(api.db, tenant)).toHaveLength(8 * 20 + 10)
    expect(await eventsOf(api.db, tenant)).toHaveLength(8 * 20 + 20)
  })
})
