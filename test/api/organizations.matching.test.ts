import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
import { type Fields, eventsOf, storedDirectory, storeOrganization } from '../setup/organizations.ts'
import { type MatchingCase, patchCases, upsertCases } from './organizations.matching.cases.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
})
afterAll(() => api.close())

type Scene = { tenant: Tenant; ids: Record<string, string>; before: Fields[] }

async function arrange({ stored }: MatchingCase): Promise<Scene> {
  const tenant = await createTenant(api.db)
  const ids: Record<string, string> = {}
  for (const [nickname, row] of Object.entries(stored)) {
    ids[nickname] = await storeOrganization(api.db, tenant, row)
  }
  return { tenant, ids, before: await storedDirectory(api.db, tenant) }
}

const without = (rows: Fields[], id: unknown) => rows.filter((row) => row['id'] !== id)

async function expectUntouched({ tenant, before }: Scene): Promise<void> {
  expect(await storedDirectory(api.db, tenant)).toEqual(before)
  expect(await eventsOf(api.db, tenant)).toEqual([])
}

/** The row that was written has what it should, the others are as they were. */
async function expectWritten(scene: Scene, id: string, has: Fields): Promise<void> {
  const after = await storedDirectory(api.db, scene.tenant)
  expect(after.find((row) => row['id'] === id)).toMatchObject(has)
  expect(without(after, id)).toEqual(without(scene.before, id))
  expect(await eventsOf(api.db, scene.tenant)).toMatchObject([{ data: { id } }])
}

const action = (scene: Scene, gives: string) =>
  gives === 'created' ? 'created' : gives in scene.ids ? 'updated' : 'error'

const sentOf = (given: MatchingCase) => ({ client_type: 'lender', ...given.sent })

describe('POST /organizations, when', () => {
  it.each(upsertCases)('$when, gives $gives', async (given) => {
    const scene = await arrange(given)
    const answer = await api.send('POST', '/organizations', {
      key: scene.tenant.key,
      headers: freshKey(),
      body: sentOf(given),
    })
    const expected = action(scene, given.gives)
    if (expected === 'error') {
      expect(answer).toMatchObject({ status: 409, body: { code: given.gives } })
      return expectUntouched(scene)
    }
    expect(answer).toMatchObject({
      status: expected === 'created' ? 201 : 200,
      body: { ...given.then, action: expected },
    })
    if (expected === 'updated') expect(answer.body.id).toBe(scene.ids[given.gives])
    else expect(Object.values(scene.ids)).not.toContain(answer.body.id)
    return expectWritten(scene, answer.body.id, given.then ?? {})
  })
})

describe('a row of POST /organizations/batch, when', () => {
  it.each(upsertCases)('$when, gives $gives', async (given) => {
    const scene = await arrange(given)
    const sent = sentOf(given)
    const answer = await api.send('POST', '/organizations/batch', {
      key: scene.tenant.key,
      headers: freshKey(),
      body: { items: [sent] },
    })
    expect(answer.status).toBe(200)
    const [row] = answer.body.results
    const expected = action(scene, given.gives)
    const isError = expected === 'error'
    expect(answer.body.results).toEqual([
      {
        index: 0,
        external_reference: given.sent['external_reference'] ?? null,
        action: expected,
        id: isError ? null : (scene.ids[given.gives] ?? expect.any(String)),
        error_code: isError ? given.gives : null,
        message: isError ? expect.any(String) : null,
      },
    ])
    return isError ? expectUntouched(scene) : expectWritten(scene, row.id, given.then ?? {})
  })
})

describe('PATCH /organizations/{id}, when', () => {
  it.each(patchCases)('$when, gives $gives', async (given) => {
    const scene = await arrange(given)
    const answer = await api.send('PATCH', `/organizations/${scene.ids['one']}`, {
      key: scene.tenant.key,
      body: given.sent,
    })
    if (given.gives === 'conflict') {
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
      return expectUntouched(scene)
    }
    const id = scene.ids[given.gives] ?? ''
    expect(answer).toMatchObject({ status: 200, body: { ...given.then, id, action: 'updated' } })
    return expectWritten(scene, id, given.then ?? {})
  })
})

describe('account numbers', () => {
  it('are ambiguous by themselves once one with a reference has taken another\'s', async () => {
    const tenant = await createTenant(api.db)
    const send = (body: Fields) =>
      api.send('POST', '/organizations', {
        key: tenant.key,
        headers: freshKey(),
        body: { client_type: 'lender', ...body },
      })
    await send({ name: 'Alpha', account_number: 'AC-1' })
    await send({ name: 'Beta', external_reference: 'R-1' })
    const taken = await send({ name: 'Beta', external_reference: 'R-1', account_number: 'AC-1' })
    expect(taken.status).toBe(200)
    for (const name of ['Alpha', 'Beta', 'Gamma']) {
      expect(await send({ name, account_number: 'AC-1' })).toMatchObject({
        status: 409,
        body: { code: 'ambiguous_match' },
      })
    }
  })
})
