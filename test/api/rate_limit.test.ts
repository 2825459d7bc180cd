import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { makeKey } from '../../src/api_key.ts'
import { type TestApi, createApi } from '../setup/api.ts'
import { createKey, createTenant } from '../setup/database.ts'

const perMinute = 5
let api: TestApi
beforeAll(async () => {
  api = await createApi({ perMinute })
})
afterAll(() => api.close())

const statuses = async (count: number, key: string, path = '/me'): Promise<number[]> => {
  const answers = []
  for (let i = 0; i < count; i += 1) answers.push((await api.send('GET', path, { key })).status)
  return answers
}

describe('a success', () => {
  it('tells what is left in the draft-8 headers', async () => {
    const { key } = await createTenant(api.db)
    await statuses(1, key)
    const { headers } = await api.send('GET', '/me', { key })
    expect(headers.get('ratelimit-policy')).toBe('"per-key";q=5;w=60')
    expect(headers.get('ratelimit')).toMatch(/^"per-key";r=3;t=(60|5\d)$/)
  })
})

describe('429', () => {
  it('answers the request past the limit, with Retry-After', async () => {
    const { key } = await createTenant(api.db)
    expect(await statuses(perMinute, key)).toEqual(Array(perMinute).fill(200))
    const answer = await api.send('GET', '/me', { key })
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.headers.get('ratelimit')).toMatch(/^"per-key";r=0;t=\d+$/)
  })

  it('counts each key by itself', async () => {
    const tenant = await createTenant(api.db)
    await statuses(perMinute + 1, tenant.key)
    expect(await statuses(1, await createKey(api.db, tenant.id))).toEqual([200])
  })

  it('comes before the scope', async () => {
    const { key } = await createTenant(api.db, { scopes: ['quotes:read'] })
    expect(await statuses(perMinute + 1, key, '/products')).toEqual([
      ...Array(perMinute).fill(403),
      429,
    ])
  })
})

describe('refused keys', () => {
  it('get 401 however often one key is tried, then 429 for their address', async () => {
    const other = await createApi({ perMinute, db: api.db })
    const { key } = makeKey('test')
    const answers = []
    for (let i = 0; i < perMinute + 1; i += 1) {
      answers.push((await other.send('GET', '/me', { key })).status)
    }
    await other.close()
    expect(answers).toEqual([...Array(perMinute).fill(401), 429])
  })
})
