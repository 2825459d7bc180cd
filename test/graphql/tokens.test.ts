// Who may ask, and whose rows a token opens.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { makeAnalystToken } from '../../src/analyst_token.ts'
import { type TestGraphql, createAnalyst, createTestGraphql } from '../setup/analytics.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant, digestOf } from '../setup/database.ts'

let db: TestDatabase
let graphql: TestGraphql
let ours: Tenant
let theirs: Tenant

beforeAll(async () => {
  db = await createDatabase()
  ours = await createTenant(db)
  theirs = await createTenant(db)
  graphql = await createTestGraphql(db)
})
afterAll(async () => {
  await graphql.close()
  await db.close()
})

const slugs = '{ tenants(orderBy: SLUG_ASC) { nodes { slug } } }'

async function visibleTo(token: string): Promise<string[]> {
  const { data } = await graphql.ask(token)(slugs)
  return data.tenants.nodes.map((tenant: { slug: string }) => tenant.slug)
}

const end = (token: string, column: 'revoked_at' | 'expires_at') =>
  db.owner.query(`update auth.analyst_tokens set ${column} = now() where digest = $1`, [digestOf(token)])

describe('401', () => {
  const refused = async (token: string | null, headers: Record<string, string> = {}) => {
    const { status, text, headers: answered } = await graphql.ask('')(slugs, { token, headers })
    const { code, request_id } = JSON.parse(text)
    expect(request_id).toBe(answered.get('x-request-id'))
    return { status, code, challenge: answered.get('www-authenticate') }
  }
  const missing = { status: 401, code: 'unauthorized', challenge: 'Bearer realm="analytics"' }
  const invalid = { ...missing, challenge: 'Bearer realm="analytics", error="invalid_token"' }

  it('without a token', async () => {
    expect(await refused(null)).toEqual(missing)
  })

  it('for a token whose checksum is wrong, and one that nobody made', async () => {
    const { token } = makeAnalystToken()
    expect(await refused(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toEqual(invalid)
    expect(await refused(token)).toEqual(invalid)
  })

  it('for an API key, in either header', async () => {
    expect(await refused(ours.key)).toEqual(invalid)
    expect(await refused(null, { 'X-SVC-Api-Key': ours.key })).toEqual(missing)
  })

  it.each(['revoked_at', 'expires_at'] as const)('from the moment of %s', async (column) => {
    const token = await createAnalyst(db, [ours])
    expect(await visibleTo(token)).toEqual([ours.slug])
    await end(token, column)
    expect(await refused(token)).toEqual(invalid)
  })

  it('before anything is said about the query', async () => {
    const { status } = await graphql.ask('')('{ nonsense', { token: null })
    expect(status).toBe(401)
  })
})

describe('405', () => {
  it('for any method but POST', async () => {
    const token = await createAnalyst(db, [ours])
    const response = await fetch(`${graphql.url}/graphql?query=${encodeURIComponent(slugs)}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
  })
})

describe('a token', () => {
  it('sees the tenants that it is bound to', async () => {
    expect(await visibleTo(await createAnalyst(db, [theirs]))).toEqual([theirs.slug])
    const both = await createAnalyst(db, [ours, theirs])
    expect(await visibleTo(both)).toEqual([ours.slug, theirs.slug].sort())
  })

  it('for all tenants sees those that come later, too', async () => {
    const all = await createAnalyst(db, 'all')
    const later = await createTenant(db)
    expect(await visibleTo(all)).toContain(later.slug)
  })

  it('without tenants sees nothing', async () => {
    expect(await visibleTo(await createAnalyst(db, []))).toEqual([])
  })

  it('no longer sees a tenant that was deleted', async () => {
    const gone = await createTenant(db)
    const token = await createAnalyst(db, [gone, ours])
    await db.owner.query('delete from app.tenants where id = $1', [gone.id])
    expect(await visibleTo(token)).toEqual([ours.slug])
  })
})
