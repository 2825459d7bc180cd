import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type DemoAccess, seedDemo } from '../../src/admin/seed.ts'
import { isAnalystToken } from '../../src/analyst_token.ts'
import { scopes } from '../../src/api_key.ts'
import { type TestApi, createApi } from '../setup/api.ts'
import { digestOf } from '../setup/database.ts'

let api: TestApi
let demo: DemoAccess
beforeAll(async () => {
  api = await createApi()
  const access = await seedDemo(api.db.urls)
  if (access === null) throw new Error('the demo is there already')
  demo = access
})
afterAll(() => api.close())

const preview = async (code: string, state: string, county: string) => {
  const subject = { line1: '12 Main St', state, county }
  const { status, body } = await api.send('POST', '/fees/preview', {
    key: demo.key,
    body: { product_code: code, subject },
  })
  return status === 200 ? [body.fee, body.turnaround_days] : body.code
}

describe('the demo tenant', () => {
  it('has a test key with every scope', async () => {
    const { body } = await api.send('GET', '/me', { key: demo.key })
    expect(body).toMatchObject({
      tenant_slug: 'demo',
      tenant_name: 'Demo Appraisal',
      key_name: 'demo',
      scopes: [...scopes],
      environment: 'test',
    })
  })

  it('has an analyst token that sees it alone', async () => {
    expect(isAnalystToken(demo.analystToken)).toBe(true)
    const { rows } = await api.db.owner.query(
      `select tenants.slug
      from auth.analyst_tokens
      inner join auth.analyst_token_tenants on analyst_tokens.id = token_id
      inner join app.tenants on tenant_id = tenants.id
      where digest = $1 and not is_for_all_tenants`,
      [digestOf(demo.analystToken)],
    )
    expect(rows).toEqual([{ slug: 'demo' }])
  })

  it('shows each answer that a preview can have', async () => {
    expect(await preview('URAR', 'VA', 'Fairfax County')).toEqual(['480.00', 8])
    expect(await preview('URAR', 'VA', 'Fairfax City')).toEqual(['525.00', 6])
    expect(await preview('URAR', 'VA', 'City of Norfolk')).toEqual(['450.00', 5])
    expect(await preview('URAR', 'DE', 'Sussex')).toEqual(['465.00', 5])
    expect(await preview('2-4UNIT', 'VA', 'Norfolk')).toEqual([null, null])
    expect(await preview('URAR', 'VA', 'Loudoun')).toBe('coverage_unavailable')
    expect(await preview('LAND-PAPER', 'VA', 'Fairfax')).toBe('product_inactive')
  })

  it('has orders of its two organizations', async () => {
    const { rows } = await api.db.owner.query(
      `select count(*)::integer as orders, count(distinct engaging_client_id)::integer as clients
      from app.orders
      inner join app.tenants on orders.tenant_id = tenants.id
      where tenants.slug = 'demo'`,
    )
    expect(rows).toEqual([{ orders: 6, clients: 2 }])
  })

  it('is made once', async () => {
    expect(await seedDemo(api.db.urls)).toBeNull()
    const { rows } = await api.db.owner.query(`select from app.tenants where slug = 'demo'`)
    expect(rows).toHaveLength(1)
  })

  it('is made good when a first try stopped before it had a key', async () => {
    await api.db.owner.query(`delete from auth.api_keys where name = 'demo'`)
    const again = await seedDemo(api.db.urls)
    const { status } = await api.send('GET', '/products', { key: again?.key ?? '' })
    expect(status).toBe(200)
  })
})
