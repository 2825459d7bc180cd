// Parallel requests on one directory: what they leave is what some order of them, one
// after the other, would have left. The server is slow to resolve a deadlock here, so
// that no retry hides one: it ends in a time-out.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Answer, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
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
beforeAll(async () => {
  api = await createApi()
  const { rows } = await api.db.owner.query<{ name: string }>('select current_database() as name')
  await api.db.owner.query(`alter database ${rows[0]?.name} set deadlock_timeout = '10min'`)
})
beforeEach(async () => {
  tenant = await createTenant(api.db)
})
afterAll(() => api.close())

const post = (body: unknown): Promise<Answer<any>> =>
  api.send('POST', '/organizations', { key: tenant.key, headers: freshKey(), body })

const postBatch = (items: Fields[]): Promise<Answer<any>> =>
  api.send('POST', '/organizations/batch', { key: tenant.key, headers: freshKey(), body: { items } })

const patch = (id: string, body: Fields): Promise<Answer<any>> =>
  api.send('PATCH', `/organizations/${id}`, { key: tenant.key, body })

const count = (values: unknown[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(values)].map((value) => [
      String(value),
      values.filter((other) => other === value).length,
    ]),
  )

const range = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index))

describe('of 20 parallel upserts', () => {
  it.each([
    ['with one reference', (index: number) => ({ external_reference: 'R-1', name: `Name ${index}` })],
    ['with one name', () => ({ name: 'Alpha' })],
    ['with one number', (index: number) => ({ account_number: 'AC-1', name: `Name ${index}` })],
    ['with one name, half of them with a reference', (index: number) => ({
      name: 'Alpha',
      ...(index % 2 ? { external_reference: 'R-1' } : {}),
    })],
  ])('%s exactly one creates', async (_, parts) => {
    const answers = await Promise.all(range(20, (index) => post(lender(parts(index)))))
    expect(count(answers.map(({ status }) => status))).toEqual({ 201: 1, 200: 19 })
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await storedDirectory(api.db, tenant)).toHaveLength(1)
    expect(await eventsOf(api.db, tenant)).toHaveLength(20)
  })

  it('with one name and references of their own one creates and the others conflict', async () => {
    const answers = await Promise.all(
      range(20, (index) => post(lender({ name: 'Alpha', external_reference: `R-${index}` }))),
    )
    expect(count(answers.map(({ body }) => body.code ?? body.action))).toEqual({
      created: 1,
      name_conflict: 19,
    })
  })

  it('each loses none of its fields and contacts to another', async () => {
    await storeOrganization(api.db, tenant, { name: 'Alpha', external_reference: 'R-1' })
    const fields = ['notes', 'website', 'city', 'email'].map((field) => ({ [field]: `a@b.example` }))
    const people = range(16, (index) => ({
      contacts: [contact({ email: `p${index}@bank.example`, is_primary: true })],
    }))
    await Promise.all(
      [...fields, ...people].map((parts) =>
        post(lender({ name: 'Alpha', external_reference: 'R-1', ...parts })),
      ),
    )
    const [stored] = await storedDirectory(api.db, tenant)
    for (const field of fields) expect(stored).toMatchObject(field)
    const contacts = stored?.['contacts'] as Fields[]
    expect(contacts).toHaveLength(16)
    expect(contacts.filter((row) => row['is_primary'])).toHaveLength(1)
  })
})

describe('parallel PATCHes', () => {
  it('of two to each other\'s name end with two names', async () => {
    const [one, two] = await Promise.all([
      storeOrganization(api.db, tenant, { name: 'Alpha' }),
      storeOrganization(api.db, tenant, { name: 'Beta' }),
    ])
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all([
        patch(one, { name: 'Beta' }),
        patch(two, { name: 'Alpha' }),
        patch(one, { name: 'Gamma' }),
        patch(two, { name: 'Delta' }),
      ])
      for (const { status } of answers) expect([200, 409]).toContain(status)
    }
    expect(await storedDirectory(api.db, tenant)).toHaveLength(2)
  })

  it('and upserts by any key lose nothing that another changes', async () => {
    const keys = { external_reference: 'R-1', account_number: 'AC-1' }
    const id = await storeOrganization(api.db, tenant, { name: 'Alpha', ...keys })
    for (const round of range(25, String)) {
      const answers = await Promise.all([
        patch(id, { notes: round }),
        patch(id, { city: round }),
        post(lender({ name: 'Alpha', website: round })),
        patch(id, { contacts: [contact({ email: `p${round}@bank.example` })] }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const [stored] = await storedDirectory(api.db, tenant)
      expect(stored).toMatchObject({ ...keys, notes: round, city: round, website: round })
      expect(stored?.['contacts']).toHaveLength(Number(round) + 1)
    }
  })

  it('and upserts that mean the same record by other keys all succeed', async () => {
    const id = await storeOrganization(api.db, tenant, {
      name: 'Alpha',
      external_reference: 'R-1',
      account_number: 'AC-1',
    })
    const answers = await Promise.all(
      range(8, (index) => [
        patch(id, { notes: `note ${index}` }),
        post(lender({ name: 'Alpha', city: `City ${index}` })),
        post(lender({ name: 'Alpha', external_reference: 'R-1' })),
        post(lender({ name: 'Alpha', account_number: 'AC-1' })),
      ]).flat(),
    )
    expect(count(answers.map(({ status }) => status))).toEqual({ 200: 32 })
    expect(await storedDirectory(api.db, tenant)).toHaveLength(1)
  })
})

describe('parallel batches', () => {
  const row = (index: number) =>
    lender({
      external_reference: `R-${index}`,
      account_number: `AC-${index}`,
      name: `Name ${index}`,
      contacts: [contact({ email: `p${index}@bank.example` })],
    })

  it('with the same rows in opposite order all succeed and create none twice', async () => {
    const rows = range(60, row)
    const answers = await Promise.all(
      range(8, (index) => postBatch(index % 2 ? rows : rows.toReversed())),
    )
    const actions = answers.flatMap(({ body }) => body.results.map((result: Fields) => result['action']))
    expect(count(actions)).toEqual({ created: 60, updated: 7 * 60 })
    expect(await storedDirectory(api.db, tenant)).toHaveLength(60)
    expect(await eventsOf(api.db, tenant)).toHaveLength(8 * 60)
  })

  it('that reach the same rows by other keys, in opposite order, all succeed', async () => {
    await postBatch(range(40, row))
    const byReference = range(40, (index) => lender({ external_reference: `R-${index}`, name: `Name ${index}` }))
    const byNumber = range(40, (index) => lender({ account_number: `AC-${index}`, name: `Name ${index}` }))
    const byName = range(40, (index) => lender({ name: `Name ${index}` }))
    const ids = new Map(
      (await storedDirectory(api.db, tenant)).map(({ name, id }) => [name, String(id)]),
    )
    const answers = await Promise.all([
      postBatch(byReference),
      postBatch(byNumber.toReversed()),
      postBatch(byName),
      postBatch(byReference.toReversed()),
      ...range(40, (index) => patch(ids.get(`Name ${39 - index}`) ?? '', { notes: 'x' })),
    ])
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      for (const result of body.results ?? []) expect(result.action).toBe('updated')
    }
    expect(await storedDirectory(api.db, tenant)).toHaveLength(40)
  })

  it('that reach the same rows and share no key all succeed', async () => {
    const pairs = range(40, (pair) => [`${pair} a`, `${pair} b`])
    await postBatch(
      pairs.flat().map((key) => lender({ external_reference: key, name: `Name ${key}` })),
    )
    const answers = await Promise.all(
      pairs.flatMap((keys) => [
        postBatch(keys.map((key) => lender({ name: `Name ${key}` }))),
        postBatch(
          keys.toReversed().map((key) => lender({ external_reference: key, name: `New ${key}` })),
        ),
      ]),
    )
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      for (const { error_code } of body.results) expect(error_code).toBeNull()
    }
  })

  it('of overlapping parts and single requests leave an event for each success', async () => {
    const answers = await Promise.all([
      ...range(16, (start) => postBatch(range(40, (index) => row((start * 17 + index * 7) % 90)))),
      ...range(20, (index) => post(row(index))),
    ])
    const successes = answers.flatMap(({ body }) => body.results ?? [body])
    for (const { action } of successes) expect(['created', 'updated']).toContain(action)
    const stored = await storedDirectory(api.db, tenant)
    expect(count(successes.map(({ action }) => action))['created']).toBe(stored.length)
    expect(await eventsOf(api.db, tenant)).toHaveLength(successes.length)
    for (const { contacts } of stored) expect(contacts).toHaveLength(1)
  })
})
