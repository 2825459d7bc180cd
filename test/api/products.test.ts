import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestApi, createApi } from '../setup/api.ts'
import { createProduct } from '../setup/catalogue.ts'
import { createTenant } from '../setup/database.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
  await createProduct(api.db, api.tenant, { code: 'Z-1', name: 'Land' })
  await createProduct(api.db, api.tenant, { code: 'B-2', name: 'Condominium' })
  await createProduct(api.db, api.tenant, { code: 'B-1', name: 'Condominium' })
  await createProduct(api.db, api.tenant, { code: 'OLD', name: 'Anything', isActive: false })
})
afterAll(() => api.close())

describe('GET /products 200', () => {
  it('lists what is offered now, by name and code', async () => {
    const answer = await api.send('GET', '/products')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual([
      { code: 'B-1', name: 'Condominium', is_active: true },
      { code: 'B-2', name: 'Condominium', is_active: true },
      { code: 'Z-1', name: 'Land', is_active: true },
    ])
  })

  it('lists only the company\'s own', async () => {
    const other = await createTenant(api.db)
    expect((await api.send('GET', '/products', { key: other.key })).body).toEqual([])
    await createProduct(api.db, other, { code: 'Z-1', name: 'Theirs' })
    expect((await api.send('GET', '/products', { key: other.key })).body).toEqual([
      { code: 'Z-1', name: 'Theirs', is_active: true },
    ])
  })
})
