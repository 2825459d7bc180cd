import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isAnalystToken } from '../../src/analyst_token.ts'
import { type TestAdmin, createAdmin } from '../setup/admin.ts'
import { type Tenant, createTenant, digestOf } from '../setup/database.ts'

let admin: TestAdmin
let one: Tenant
let two: Tenant
beforeAll(async () => {
  admin = await createAdmin()
  one = await createTenant(admin.db)
  two = await createTenant(admin.db)
})
afterAll(() => admin.close())

const create = (tenants: string) =>
  admin.json('analyst', 'create', '--name', 'dana', '--tenants', tenants)

async function stored(token: string) {
  const { rows } = await admin.db.owner.query(
    `select
      is_for_all_tenants,
      array(select tenant_id from auth.analyst_token_tenants where token_id = id) as tenant_ids
    from auth.analyst_tokens
    where digest = $1`,
    [digestOf(token)],
  )
  return rows
}

describe('analyst create', () => {
  it('prints a token for some tenants, once, and stores its digest alone', async () => {
    const created = await create(`${two.slug},${one.slug},${one.slug}`)
    const slugs = [one.slug, two.slug].toSorted()
    expect(created).toEqual({
      id: expect.any(String),
      token: expect.any(String),
      name: 'dana',
      tenants: slugs,
    })
    expect(isAnalystToken(created.token)).toBe(true)
    const [row] = await stored(created.token)
    expect(row.is_for_all_tenants).toBe(false)
    expect(row.tenant_ids.toSorted()).toEqual([one.id, two.id].toSorted())

    const { stdout } = await admin.run(['analyst', 'list', '--json'])
    expect(stdout).not.toContain(created.token)
    expect(JSON.parse(stdout)).toContainEqual({
      id: created.id,
      name: 'dana',
      prefix: created.token.slice(0, 16),
      tenants: slugs,
      created_at: expect.any(String),
      expires_at: null,
      revoked_at: null,
    })
  })

  it('binds a token to all tenants by no list of them', async () => {
    const created = await create('all')
    expect(created.tenants).toEqual(['all'])
    expect(await stored(created.token)).toEqual([{ is_for_all_tenants: true, tenant_ids: [] }])
  })

  it('can NOT bind a token to a tenant that is not there', async () => {
    const args = ['analyst', 'create', '--name', 'dana', '--tenants', `${one.slug},nobody`]
    expect(await admin.error(...args)).toMatchObject({ code: 'not_found' })
  })
})

describe('analyst revoke', () => {
  it('ends a token', async () => {
    const { id } = await create(one.slug)
    expect(await admin.json('analyst', 'revoke', id)).toMatchObject({
      id,
      revoked_at: expect.any(String),
    })
    expect(await admin.error('analyst', 'revoke', one.id)).toMatchObject({ code: 'not_found' })
  })
})
