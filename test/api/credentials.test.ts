// Who may ask at all: keys in their two headers, keys that are not valid, and scopes.
// What holds for all operations is tried on all of them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { endpoints } from '../../src/api/index.ts'
import { publicEndpoints } from '../../src/api/service.ts'
import { makeKey } from '../../src/api_key.ts'
import { type TestApi, createApi } from '../setup/api.ts'
import { createKey } from '../setup/database.ts'
import { named, pathOf } from '../setup/endpoints.ts'

let api: TestApi
/** A valid key without any scope. */
let bare: string

beforeAll(async () => {
  api = await createApi()
  bare = await createKey(api.db, api.tenant.id, { scopes: [] })
})
afterAll(() => api.close())

const unknownKey = makeKey('test').key

/** What no operation would take. */
const garbage = { headers: { 'Content-Type': 'text/plain' }, raw: '{' }

const missing = 'Bearer realm="public-api"'
const invalid = `${missing}, error="invalid_token"`

describe('401', () => {
  const keyWith = async (column: 'revoked_at' | 'expires_at', sql: string) => {
    const key = await createKey(api.db, api.tenant.id)
    await api.db.owner.query(
      `update auth.api_keys set ${column} = ${sql} where digest = sha256($1::text::bytea)`,
      [key],
    )
    return key
  }
  const broken = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')

  it.each<[string, Record<string, string>]>([
    ['no header', {}],
    ['an empty X-SVC-Api-Key', { 'X-SVC-Api-Key': '' }],
    ['another scheme', { Authorization: 'Basic dTpw' }],
    ['Bearer without a token', { Authorization: 'Bearer' }],
    ['the key without a scheme', { Authorization: unknownKey }],
  ])('asks for a key when there is %s', async (_name, headers) => {
    const answer = await api.send('GET', '/me', { key: '', headers })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect(answer.headers.get('www-authenticate')).toBe(missing)
  })

  it.each<[string, () => string | Promise<string>]>([
    ['malformed', () => 'svc_test_short'],
    ['of another form', () => 'sk_test_0123456789'],
    ['mistyped', () => broken(api.tenant.key)],
    ['cut off', () => api.tenant.key.slice(0, -1)],
    ['unknown', () => unknownKey],
    ['revoked', () => keyWith('revoked_at', 'now()')],
    ['expired', () => keyWith('expires_at', 'now()')],
    ['of the other environment', () => createKey(api.db, api.tenant.id, { environment: 'live' })],
    ['in other letters', () => api.tenant.key.toUpperCase()],
    ['with something behind it', () => `${api.tenant.key} more`],
  ])('refuses a key that is %s', async (_name, make) => {
    const key = await make()
    for (const headers of [{ Authorization: `Bearer ${key}` }, { 'X-SVC-Api-Key': key }]) {
      const answer = await api.send('GET', '/me', { key: '', headers })
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
      expect(answer.headers.get('www-authenticate')).toBe(invalid)
    }
  })

  it('says the same of every key that is not valid', async () => {
    const keys = [unknownKey, 'svc_test_short', await keyWith('revoked_at', 'now()')]
    const messages = await Promise.all(
      keys.map(async (key) => (await api.send('GET', '/me', { key })).body.message),
    )
    expect(new Set(messages).size).toBe(1)
  })

  it('takes a key until it expires, and not once it is revoked', async () => {
    const key = await keyWith('expires_at', `now() + interval '1 hour'`)
    expect((await api.send('GET', '/me', { key })).status).toBe(200)
    await api.db.owner.query(
      'update auth.api_keys set revoked_at = now() where digest = sha256($1::text::bytea)',
      [key],
    )
    expect((await api.send('GET', '/me', { key })).status).toBe(401)
  })

  it.each(named(endpoints))('tells nothing of %s to a stranger', async (_name, endpoint) => {
    for (const key of ['', unknownKey]) {
      const answer = await api.send(endpoint.method.toUpperCase(), `${pathOf(endpoint)}?x=1`, {
        key,
        ...(endpoint.method === 'get' ? {} : garbage),
      })
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    }
  })

  it('leaves public what is public', async () => {
    for (const { path } of publicEndpoints) {
      expect((await api.send('GET', path, { key: unknownKey })).status).toBe(200)
    }
  })
})

describe('credentials', () => {
  it.each<[string, (key: string) => Record<string, string>]>([
    ['Authorization: Bearer', (key) => ({ Authorization: `Bearer ${key}` })],
    ['the scheme in other letters', (key) => ({ Authorization: `bEARER ${key}` })],
    ['more than one space', (key) => ({ Authorization: `Bearer   ${key}` })],
    ['X-SVC-Api-Key', (key) => ({ 'X-SVC-Api-Key': key })],
    [
      'X-SVC-Api-Key beside another scheme',
      (key) => ({ Authorization: 'Basic dTpw', 'X-SVC-Api-Key': key }),
    ],
    [
      'Bearer beside a bad X-SVC-Api-Key',
      (key) => ({ Authorization: `Bearer ${key}`, 'X-SVC-Api-Key': 'bad' }),
    ],
  ])('are taken from %s', async (_name, headersOf) => {
    const answer = await api.send('GET', '/me', { key: '', headers: headersOf(api.tenant.key) })
    expect(answer).toMatchObject({ status: 200, body: { tenant_id: api.tenant.id } })
  })

  it('are Bearer\'s when both headers are sent', async () => {
    const headers = { Authorization: `Bearer ${unknownKey}`, 'X-SVC-Api-Key': api.tenant.key }
    expect(await api.send('GET', '/me', { key: '', headers })).toMatchObject({ status: 401 })
  })
})

describe('a production deployment', () => {
  it('takes live keys and no test keys', async () => {
    const production = await createApi({ environment: 'live', db: api.db })
    expect(await production.send('GET', '/me')).toMatchObject({
      status: 200,
      body: { environment: 'live', key_prefix: production.tenant.key.slice(0, 13) },
    })
    const answer = await production.send('GET', '/me', { key: api.tenant.key })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe(invalid)
    await production.close()
  })
})

describe('403', () => {
  const scoped = named(endpoints.filter(({ scope }) => scope !== null))

  it.each(scoped)('names the scope that %s needs, whatever is sent', async (_name, endpoint) => {
    const answer = await api.send(endpoint.method.toUpperCase(), `${pathOf(endpoint)}?x=1`, {
      key: bare,
      ...(endpoint.method === 'get' ? {} : garbage),
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(answer.body.message).toContain(endpoint.scope)
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="${endpoint.scope}"`,
    )
  })

  it('is not for /me, which needs no scope', async () => {
    expect(await api.send('GET', '/me', { key: bare })).toMatchObject({
      status: 200,
      body: { scopes: [] },
    })
  })
})
