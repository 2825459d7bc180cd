// Requests are counted by key, day and operation, off the path of the requests.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { makeKey } from '../../src/api_key.ts'
import { createCaller } from '../../src/database/pool.ts'
import { createUsage } from '../../src/http/usage.ts'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'
import { type Tenant, createKey, createTenant, digestOf } from '../setup/database.ts'

let api: TestApi
let tenant: Tenant

beforeAll(async () => {
  api = await createApi()
})
beforeEach(async () => {
  tenant = await createTenant(api.db)
})
afterAll(() => api.close())

const counted = async (): Promise<unknown[]> => {
  const { rows } = await api.db.owner.query(
    `select operation, sum(requests)::int as requests, sum(errors)::int as errors
    from app.api_usage where tenant_id = $1 group by 1 order by 1`,
    [tenant.id],
  )
  return rows
}

const me = (key = tenant.key) => api.send('GET', '/me', { key })

describe('what is counted', () => {
  it('is each request of a key, and of those the errors', async () => {
    await createProducts(api.db, tenant)
    const send = (body: unknown) =>
      api.send('POST', '/quotes', { key: tenant.key, headers: freshKey(), body })
    await Promise.all([me(), me(), send(quoteRequest()), send({})])
    await api.send('GET', '/quotes/00000000-0000-7000-8000-000000000000', { key: tenant.key })
    await api.usage.flush()
    await me()
    await api.usage.flush()
    expect(await counted()).toEqual([
      { operation: 'create_quote', requests: 2, errors: 1 },
      { operation: 'read_identity', requests: 3, errors: 0 },
      { operation: 'read_quote', requests: 1, errors: 1 },
    ])
    const { rows } = await api.db.owner.query(
      `select distinct key_name, day = (now() at time zone 'UTC')::date as is_today, api_keys.name
      from app.api_usage inner join auth.api_keys on api_keys.id = api_key_id
      where api_usage.tenant_id = $1`,
      [tenant.id],
    )
    expect(rows).toEqual([{ key_name: 'test', is_today: true, name: 'test' }])
  })

  it('is what a key did before it was revoked', async () => {
    const key = await createKey(api.db, tenant.id)
    await me(key)
    await api.db.owner.query('update auth.api_keys set revoked_at = now() where digest = $1', [digestOf(key)])
    await me(key)
    await api.usage.flush()
    expect(await counted()).toEqual([expect.objectContaining({ requests: 1, errors: 0 })])
  })

  it('is NOT a request without a valid key', async () => {
    await me('')
    await me(makeKey('test').key)
    await me('svc_test_nonsense')
    await api.usage.flush()
    const { rows } = await api.db.owner.query('select sum(requests)::int as requests from app.api_usage')
    await me()
    await api.usage.flush()
    const { rows: later } = await api.db.owner.query('select sum(requests)::int as requests from app.api_usage')
    expect(later[0].requests - (rows[0].requests ?? 0)).toBe(1)
  })
})

describe('counts', () => {
  it('are kept while the database is away, and written at the end', async () => {
    const log = pino({ level: 'silent' })
    const away = new URL(api.db.urls.api)
    away.port = '1'
    let url = away.href
    const usage = createUsage(
      {
        ...api.caller,
        call: async (statement, values) => {
          const caller = createCaller(url)
          return caller.call(statement, values).finally(() => void caller.close())
        },
      },
      log,
    )
    usage.count(digestOf(tenant.key), 'me', false)
    await usage.flush()
    usage.count(digestOf(tenant.key), 'me', true)
    await usage.flush()
    expect(await counted()).toEqual([])
    url = api.db.urls.api
    await usage.close()
    expect(await counted()).toEqual([{ operation: 'me', requests: 2, errors: 1 }])
  })

  it('of several processes add up, written at once', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => createKey(api.db, tenant.id)))
    const usages = Array.from({ length: 6 }, () => createUsage(api.caller, pino({ level: 'silent' })))
    for (const [index, usage] of usages.entries()) {
      const order = index % 2 ? keys : [...keys].reverse()
      for (const key of order) for (const operation of ['b', 'a']) usage.count(digestOf(key), operation, false)
    }
    await Promise.all(usages.map((usage) => usage.close()))
    expect(await counted()).toEqual([
      { operation: 'a', requests: 18, errors: 0 },
      { operation: 'b', requests: 18, errors: 0 },
    ])
  })

  it('can NOT be read or changed by the API\'s own role', async () => {
    for (const sql of ['select from app.api_usage', 'delete from app.api_usage', 'update app.api_usage set requests = 0']) {
      const code = await api.db.as('api').query(sql).then(() => 'allowed', (error) => error.code)
      expect({ sql, code }).toEqual({ sql, code: '42501' })
    }
  })
})
