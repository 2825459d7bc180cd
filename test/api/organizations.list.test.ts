import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Answer, type TestApi, createApi } from '../setup/api.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
import { type Fields, storeContact, storeOrganization } from '../setup/organizations.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
})
afterAll(() => api.close())

const list = (tenant: Tenant, query: Record<string, string> = {}): Promise<Answer<any>> =>
  api.send('GET', `/organizations?${new URLSearchParams(query).toString()}`, { key: tenant.key })

const names = (answer: Answer<any>) => answer.body.items.map((row: Fields) => row['name'])

async function tenantWith(...rows: (string | Fields)[]): Promise<Tenant> {
  const tenant = await createTenant(api.db)
  for (const row of rows) {
    await storeOrganization(api.db, tenant, typeof row === 'string' ? { name: row } : row)
  }
  return tenant
}

describe('GET /organizations 200', () => {
  it('is an empty page for an empty directory', async () => {
    const { status, body } = await list(await tenantWith())
    expect({ status, body }).toEqual({
      status: 200,
      body: { items: [], limit: 50, offset: 0, has_more: false },
    })
  })

  it('shows whole records, contacts included, as a read does', async () => {
    const tenant = await tenantWith()
    for (const name of ['Alpha', 'Beta']) {
      const id = await storeOrganization(api.db, tenant, { name })
      await storeContact(api.db, tenant, id)
      await storeContact(api.db, tenant, id, { email: 'second@bank.example' })
    }
    const { body } = await list(tenant)
    expect(body.items).toHaveLength(2)
    for (const item of body.items) {
      const read = await api.send('GET', `/organizations/${item.id}`, { key: tenant.key })
      expect(item).toEqual(read.body)
      expect(item.contacts).toHaveLength(2)
    }
  })

  it('orders by name without regard to case, then by id', async () => {
    const tenant = await tenantWith('beta', 'Éclair', 'ALPHA', 'Zulu', 'alpha', 'Beta')
    expect(names(await list(tenant))).toEqual(['ALPHA', 'alpha', 'beta', 'Beta', 'Zulu', 'Éclair'])
  })

  it('shows nothing of another company', async () => {
    await tenantWith('Theirs')
    expect(names(await list(await tenantWith('Ours')))).toEqual(['Ours'])
    expect(names(await list(await tenantWith('Ours'), { q: 'their' }))).toEqual([])
  })

  it('filters by client_type', async () => {
    const tenant = await tenantWith('Alpha', 'Beta')
    await api.db.owner.query(
      `insert into app.organizations (
        tenant_id, name, client_type, phone, email, website, address_line1, city, state, postal_code
      )
      select $1, type || ' one', type, '(626) 555-0140', 'a@b.example', 'w', 'a', 'c', 'CA', '9'
      from unnest('{amc,private_party,other}'::text[]) as type`,
      [tenant.id],
    )
    expect(names(await list(tenant, { client_type: 'lender' }))).toEqual(['Alpha', 'Beta'])
    for (const client_type of ['amc', 'private_party', 'other']) {
      expect(names(await list(tenant, { client_type }))).toEqual([`${client_type} one`])
    }
    expect(names(await list(tenant, { client_type: 'amc', q: 'alpha' }))).toEqual([])
    expect(names(await list(tenant, { client_type: 'amc', q: 'MC' }))).toEqual(['amc one'])
  })

  it('pages, and says whether there is more', async () => {
    const tenant = await tenantWith('A', 'B', 'C', 'D', 'E')
    const pages = [
      [{ limit: '2' }, ['A', 'B'], true],
      [{ limit: '2', offset: '2' }, ['C', 'D'], true],
      [{ limit: '2', offset: '3' }, ['D', 'E'], false],
      [{ limit: '2', offset: '4' }, ['E'], false],
      [{ limit: '5' }, ['A', 'B', 'C', 'D', 'E'], false],
      [{ limit: '1', offset: '5' }, [], false],
      [{ offset: '10000' }, [], false],
    ] as const
    for (const [query, page, has_more] of pages) {
      const answer = await list(tenant, query)
      expect(names(answer)).toEqual(page)
      expect(answer.body).toMatchObject({
        limit: Number('limit' in query ? query.limit : 50),
        offset: Number('offset' in query ? query.offset : 0),
        has_more,
      })
    }
  })

  it('pages through what a search finds', async () => {
    const tenant = await tenantWith('Bank 1', 'Bank 2', 'Bank 3', 'Shop')
    const answer = await list(tenant, { q: 'bank', limit: '1', offset: '1' })
    expect(names(answer)).toEqual(['Bank 2'])
    expect(answer.body.has_more).toBe(true)
  })
})

describe('q', () => {
  const stored = [
    '100% Pure',
    '1000 Pure',
    'A_B Co',
    'AxB Co',
    'back\\slash',
    'backslash',
    'Straße 7',
    'ÉTOILE',
    'Foo  Bar',
    '銀行 Bank',
    "O'Neil [x] (y) \"z\"",
  ]
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await tenantWith(...stored)
  })

  it.each([
    ['pure', ['100% Pure', '1000 Pure']],
    ['PURE', ['100% Pure', '1000 Pure']],
    ['ure', ['100% Pure', '1000 Pure']],
    ['0%', ['100% Pure']],
    ['%', ['100% Pure']],
    ['_', ['A_B Co']],
    ['a_b', ['A_B Co']],
    ['\\', ['back\\slash']],
    ['k\\s', ['back\\slash']],
    ['étoile', ['ÉTOILE']],
    ['STRASSE', ['Straße 7']],
    ['ß', ['Straße 7']],
    ['銀', ['銀行 Bank']],
    ['o  b', ['Foo  Bar']],
    ["'N", ["O'Neil [x] (y) \"z\""]],
    ['[x]', ["O'Neil [x] (y) \"z\""]],
    ['.', []],
    ['nobody', []],
    ['q', []],
  ])('%s finds %j', async (q, found) => {
    expect(names(await list(tenant, { q }))).toEqual(found)
  })

  it('that is empty or blank counts as none', async () => {
    for (const q of ['', '  ']) expect(names(await list(tenant, { q }))).toHaveLength(stored.length)
  })
})

describe('GET /organizations 422', () => {
  it.each([
    ['q', 'x'.repeat(201)],
    ['client_type', 'bank'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['limit', 'ten'],
    ['offset', '-1'],
    ['offset', '10001'],
    ['page', '2'],
  ])('on %s=%s', async (parameter, value) => {
    const answer = await list(api.tenant, { [parameter]: value })
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'validation_error', detail: [{ loc: ['query', parameter] }] },
    })
  })

  it('on a parameter that is repeated', async () => {
    const answer = await api.send('GET', '/organizations?limit=1&limit=2')
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'limit'] }] } })
  })

  it('takes 200 characters of q, and the bounds of limit and offset', async () => {
    for (const query of [{ q: 'é'.repeat(200) }, { limit: '100' }, { limit: '1', offset: '10000' }]) {
      expect((await list(api.tenant, query)).status).toBe(200)
    }
  })
})
