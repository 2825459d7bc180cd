// The API behind a real PgBouncer in transaction mode, which hands each statement to
// whichever of a few connections is free: tenants stay apart, nothing is sent twice.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'
import { type Tenant, createDatabase, createTenant } from '../setup/database.ts'
import { lender } from '../setup/organizations.ts'
import { type PgBouncer, isPgBouncerInstalled, startPgBouncer } from '../setup/pgbouncer.ts'

// Debian's package, which a developer's machine may lack; in CI its absence is a failure.
const isNeeded = Boolean(process.env['CI'])
const suite = isPgBouncerInstalled() || isNeeded ? describe : describe.skip

suite('behind PgBouncer', () => {
  let api: TestApi
  let pooler: PgBouncer
  let other: Tenant

  beforeAll(async () => {
    const db = await createDatabase()
    pooler = await startPgBouncer(db.urls.api)
    api = await createApi({ db, apiUrl: pooler.url })
    other = await createTenant(db)
    await createProducts(db, api.tenant)
    await createProducts(db, other)
  })
  afterAll(async () => {
    await api.close()
    await pooler.stop()
    await api.db.close()
  })

  const create = (key: string, headers = freshKey()) =>
    api.send('POST', '/quotes', { key, headers, body: quoteRequest() })

  it('two companies at once see their own quotes and nobody else\'s', async () => {
    const keys = Array.from({ length: 60 }, (_, index) => (index % 2 ? api.tenant.key : other.key))
    const created = await Promise.all(keys.map((key) => create(key)))
    expect(created.map(({ status }) => status)).toEqual(Array(60).fill(201))

    const paths = created.map(({ body }) => `/quotes/${body.id}`)
    const own = await Promise.all(paths.map((path, index) => api.send('GET', path, { key: keys[index]! })))
    expect(own.map(({ status }) => status)).toEqual(Array(60).fill(200))
    const foreign = await Promise.all(paths.map((path, index) => api.send('GET', path, { key: keys[index + 1] ?? keys[0]! })))
    expect(foreign.map(({ status }) => status)).toEqual(Array(60).fill(404))
  })

  it('of many requests with one key one is done, and all get its answer', async () => {
    const headers = freshKey()
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(api.tenant.key, headers)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers: sent }) => !sent.has('Idempotent-Replayed'))).toHaveLength(1)
  })

  it('reads go on beside a batch', async () => {
    const batch = api.send('POST', '/organizations/batch', {
      headers: freshKey(),
      body: { items: Array.from({ length: 100 }, () => lender()) },
    })
    const reads = await Promise.all(Array.from({ length: 50 }, () => api.send('GET', '/me')))
    expect(reads.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect((await batch).body.results).toHaveLength(100)
  })
})
