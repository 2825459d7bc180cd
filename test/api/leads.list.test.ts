import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Answer, type TestApi, createApi } from '../setup/api.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
import { storeLead } from '../setup/leads.ts'
import { type Fields, storeOrganization } from '../setup/organizations.ts'

let api: TestApi
let tenant: Tenant
let bank: string
beforeAll(async () => {
  api = await createApi()
})
beforeEach(async () => {
  tenant = await createTenant(api.db)
  bank = await storeOrganization(api.db, tenant, { external_reference: 'ORG-1' })
})
afterAll(() => api.close())

const list = (query: Record<string, string> = {}): Promise<Answer<any>> =>
  api.send('GET', `/leads?${new URLSearchParams(query).toString()}`, { key: tenant.key })

const titles = (answer: Answer<any>) => answer.body.items.map((row: Fields) => row['title'])

const day = (date: number) => `2026-03-${String(date).padStart(2, '0')}T00:00:00Z`

describe('GET /leads 200', () => {
  it('is an empty page when there is none', async () => {
    const { status, body } = await list()
    expect({ status, body }).toEqual({
      status: 200,
      body: { items: [], limit: 50, offset: 0, has_more: false },
    })
  })

  it('shows the newest first, of one time the later id', async () => {
    const ids = ['01', '03', '02'].map((end) => `0195a000-0000-7000-8000-0000000000${end}`)
    for (const id of ids) {
      await storeLead(api.db, tenant, bank, { id, title: id.slice(-2), created_at: day(2) })
    }
    await storeLead(api.db, tenant, bank, { title: 'newest', created_at: day(3) })
    await storeLead(api.db, tenant, bank, { title: 'oldest', created_at: day(1) })
    expect(titles(await list())).toEqual(['newest', '03', '02', '01', 'oldest'])
  })

  it('shows whole records, as a read does', async () => {
    for (const title of ['One', 'Two']) {
      await storeLead(api.db, tenant, bank, { title, amount_cents: '5', notes: 'x' })
    }
    const { body } = await list()
    expect(body.items).toHaveLength(2)
    for (const item of body.items) {
      const read = await api.send('GET', `/leads/${item.id}`, { key: tenant.key })
      expect(item).toEqual(read.body)
      expect(item.organization_external_reference).toBe('ORG-1')
    }
  })

  it('shows nothing of another company', async () => {
    const theirs = await createTenant(api.db)
    const organization_id = await storeOrganization(api.db, theirs)
    await storeLead(api.db, theirs, organization_id)
    expect(titles(await list())).toEqual([])
    expect(titles(await list({ organization_id }))).toEqual([])
  })

  it('filters by stage, by organization and by both', async () => {
    const other = await storeOrganization(api.db, tenant)
    for (const [index, stage] of ['lead', 'qualified', 'proposal', 'won', 'lost'].entries()) {
      await storeLead(api.db, tenant, bank, { title: `bank ${stage}`, stage, created_at: day(index + 1) })
      await storeLead(api.db, tenant, other, { title: `other ${stage}`, stage, created_at: day(index + 11) })
    }
    for (const stage of ['lead', 'qualified', 'proposal', 'won', 'lost']) {
      expect(titles(await list({ stage }))).toEqual([`other ${stage}`, `bank ${stage}`])
    }
    expect(titles(await list({ organization_id: bank }))).toEqual(
      ['lost', 'won', 'proposal', 'qualified', 'lead'].map((stage) => `bank ${stage}`),
    )
    expect(titles(await list({ organization_id: other, stage: 'won' }))).toEqual(['other won'])
    expect(titles(await list({ organization_id: crypto.randomUUID() }))).toEqual([])
    expect(titles(await list({ organization_id: '', stage: ' ' }))).toHaveLength(10)
  })

  it('pages, and says whether there is more', async () => {
    for (const [index, title] of ['E', 'D', 'C', 'B', 'A'].entries()) {
      await storeLead(api.db, tenant, bank, { title, stage: 'won', created_at: day(index + 1) })
    }
    const pages = [
      [{ limit: '2' }, ['A', 'B'], true],
      [{ limit: '2', offset: '2' }, ['C', 'D'], true],
      [{ limit: '2', offset: '3', stage: 'won' }, ['D', 'E'], false],
      [{ limit: '2', offset: '4', organization_id: bank }, ['E'], false],
      [{ limit: '5' }, ['A', 'B', 'C', 'D', 'E'], false],
      [{ limit: '1', offset: '5' }, [], false],
      [{ offset: '10000' }, [], false],
    ] as const
    for (const [query, page, has_more] of pages) {
      const answer = await list(query)
      expect(titles(answer)).toEqual(page)
      expect(answer.body).toMatchObject({
        limit: Number('limit' in query ? query.limit : 50),
        offset: Number('offset' in query ? query.offset : 0),
        has_more,
      })
    }
  })

  it('takes the bounds of limit and offset', async () => {
    for (const query of [{ limit: '1' }, { limit: '100', offset: '10000' }]) {
      expect((await list(query)).status).toBe(200)
    }
  })
})

describe('GET /leads 422', () => {
  it.each([
    ['stage', 'Won'],
    ['organization_id', 'nonsense'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'ten'],
    ['offset', '-1'],
    ['offset', '10001'],
    ['q', 'x'],
  ])('on %s=%s', async (parameter, value) => {
    expect(await list({ [parameter]: value })).toMatchObject({
      status: 422,
      body: { code: 'validation_error', detail: [{ loc: ['query', parameter] }] },
    })
  })
})
