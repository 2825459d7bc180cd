import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { scopes } from '../../src/api_key.ts'
import { type TestApi, createApi } from '../setup/api.ts'
import { createKey } from '../setup/database.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
})
afterAll(() => api.close())

describe('GET /health 200', () => {
  it('needs no key', async () => {
    const answer = await api.send('GET', '/health', { key: '' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ status: 'ok', version: '0.1.0' })
  })
})

describe('GET /me 200', () => {
  it('tells a key about itself and nothing more', async () => {
    const answer = await api.send('GET', '/me')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      tenant_id: api.tenant.id,
      tenant_slug: api.tenant.slug,
      tenant_name: `Tenant ${api.tenant.slug}`,
      key_name: 'test',
      key_prefix: api.tenant.key.slice(0, 13),
      scopes: [...scopes],
      environment: 'test',
    })
  })

  it('lists just the scopes of the key', async () => {
    const key = await createKey(api.db, api.tenant.id, { scopes: ['leads:read', 'fees:read'] })
    const answer = await api.send('GET', '/me', { key })
    expect(answer.body).toMatchObject({ scopes: ['leads:read', 'fees:read'] })
  })
})
