import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isKeyOf, scopes } from '../../src/api_key.ts'
import { type TestAdmin, createAdmin } from '../setup/admin.ts'
import { type Tenant, createTenant, digestOf } from '../setup/database.ts'

let admin: TestAdmin
let tenant: Tenant
beforeAll(async () => {
  admin = await createAdmin()
  tenant = await createTenant(admin.db)
})
afterAll(() => admin.close())

const create = (...more: string[]) =>
  admin.json('key', 'create', '--tenant', tenant.slug, '--name', 'ci', ...more)

/** Whether the database lets a key in, as the API asks it. */
const isAccepted = (key: string): Promise<boolean> =>
  admin.db.as('api').query('select auth.enter($1)', [digestOf(key)]).then(
    () => true,
    () => false,
  )

/** Seconds from now until a key expires, or null. */
async function lifeLeft(id: string): Promise<number | null> {
  const { rows } = await admin.db.owner.query<{ left: number | null }>(
    `select extract(epoch from expires_at - now())::float as left from auth.api_keys where id = $1`,
    [id],
  )
  return rows[0]?.left ?? null
}

const day = 86_400

describe('key create', () => {
  it('prints the key once, and stores its digest alone', async () => {
    const created = await create('--scopes', 'all')
    expect(created).toEqual({
      id: expect.any(String),
      key: expect.any(String),
      key_prefix: created.key.slice(0, 13),
      name: 'ci',
      scopes: [...scopes],
      environment: 'test',
      tenant: tenant.slug,
    })
    expect(isKeyOf('test', created.key)).toBe(true)
    expect(await isAccepted(created.key)).toBe(true)
    expect(await lifeLeft(created.id)).toBeNull()

    const { stdout } = await admin.run(['key', 'list', '--json'])
    expect(stdout).toContain(created.key_prefix)
    expect(stdout).not.toContain(created.key)
    const { rows } = await admin.db.owner.query('select to_jsonb(k)::text as row from auth.api_keys as k')
    expect(JSON.stringify(rows)).not.toContain(created.key)
  })

  it('takes some scopes, an environment and a lifetime', async () => {
    const created = await create(
      '--scopes', 'quotes:write, quotes:read', '--environment', 'live', '--expires-in', '90d',
    )
    expect(created).toMatchObject({ scopes: ['quotes:read', 'quotes:write'], environment: 'live' })
    expect(isKeyOf('live', created.key)).toBe(true)
    const left = (await lifeLeft(created.id)) ?? 0
    expect(Math.abs(left - 90 * day)).toBeLessThan(600)
  })

  it("makes a key of the deployment's environment", async () => {
    const args = ['key', 'create', '--tenant', tenant.slug, '--name', 'x', '--scopes', 'all', '--json']
    const { stdout } = await admin.run(args, { env: { SVC_ENVIRONMENT: 'production' } })
    expect(JSON.parse(stdout)).toMatchObject({ environment: 'live' })
  })

  it.each([
    ['an unknown scope', ['--scopes', 'quotes:read,quotes:delete'], 'usage'],
    ['no scope', ['--scopes', ','], 'usage'],
    ['an unknown environment', ['--scopes', 'all', '--environment', 'dev'], 'usage'],
    ['a span without unit', ['--scopes', 'all', '--expires-in', '90'], 'usage'],
    ['a span of nothing', ['--scopes', 'all', '--expires-in', '0d'], 'usage'],
    ['a long name', ['--scopes', 'all', '--name', 'n'.repeat(121)], 'api_keys_name_check'],
    ['an unknown tenant', ['--scopes', 'all', '--tenant', 'nobody'], 'not_found'],
  ])('can NOT take %s', async (_what, more, code) => {
    const args = ['key', 'create', '--tenant', tenant.slug, '--name', 'ci', ...more]
    expect(await admin.error(...args)).toMatchObject({ code })
  })
})

describe('key rotate', () => {
  it('gives a key with the same rights, and the old one a day', async () => {
    const old = await create('--scopes', 'fees:read', '--environment', 'live')
    const created = await admin.json('key', 'rotate', old.id)
    expect(created).toEqual({
      ...old,
      id: expect.not.stringContaining(old.id),
      key: expect.not.stringContaining(old.key),
      key_prefix: created.key.slice(0, 13),
    })
    expect(await Promise.all([isAccepted(old.key), isAccepted(created.key)])).toEqual([true, true])
    expect(Math.abs(((await lifeLeft(old.id)) ?? 0) - day)).toBeLessThan(600)
    expect(await lifeLeft(created.id)).toBeNull()
    const listed = await admin.json('key', 'list', '--tenant', tenant.slug)
    expect(listed).toContainEqual(expect.objectContaining({ id: created.id, replaces_id: old.id }))
  })

  it('never gives the old key more time, and the new one as much as it had', async () => {
    const old = await create('--scopes', 'all', '--expires-in', '2h')
    const created = await admin.json('key', 'rotate', old.id, '--overlap', '7d')
    expect((await lifeLeft(old.id)) ?? 0).toBeLessThanOrEqual(7200)
    const left = (await lifeLeft(created.id)) ?? 0
    expect(Math.abs(left - 7200)).toBeLessThan(600)
  })

  it('ends the old key at once with an overlap of 0s; then there is nothing to rotate', async () => {
    const old = await create('--scopes', 'all')
    const created = await admin.json('key', 'rotate', old.id, '--overlap', '0s', '--expires-in', '1d')
    expect(await isAccepted(old.key)).toBe(false)
    expect((await lifeLeft(created.id)) ?? 0).toBeLessThanOrEqual(day)
    expect(await admin.error('key', 'rotate', old.id)).toMatchObject({ code: 'key_inactive' })
  })
})

describe('key revoke', () => {
  it('ends a key now, and twice is once', async () => {
    const { id, key } = await create('--scopes', 'all')
    const revoked = await admin.json('key', 'revoke', id)
    expect(revoked).toMatchObject({ id, tenant: tenant.slug, revoked_at: expect.any(String) })
    expect(await isAccepted(key)).toBe(false)
    expect(await admin.json('key', 'revoke', id)).toEqual(revoked)
  })

  it('can NOT end a key of another tenant than the one named, or none', async () => {
    const other = await createTenant(admin.db)
    const { id, key } = await create('--scopes', 'all')
    expect(await admin.error('key', 'revoke', id, '--tenant', other.slug)).toMatchObject({
      code: 'not_found',
    })
    expect(await isAccepted(key)).toBe(true)
    expect(await admin.error('key', 'revoke', other.id)).toMatchObject({ code: 'not_found' })
  })
})
