// Calls through a thread answer and refuse like those of an ordinary caller.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Caller, Statement } from '../../src/database/pool.ts'
import { createThreadCaller } from '../../src/database/thread_caller.ts'
import { ApiError } from '../../src/http/errors.ts'
import {
  type Tenant,
  type TestDatabase,
  createDatabase,
  createKey,
  createTenant,
  digestOf,
} from '../setup/database.ts'
import { fifteenMiB, noise, shared } from '../setup/files.ts'

let db: TestDatabase
let tenant: Tenant
let caller: Pick<Caller, 'call' | 'close'>
beforeAll(async () => {
  db = await createDatabase()
  tenant = await createTenant(db)
  caller = createThreadCaller(db.urls.api)
})
afterAll(async () => {
  await caller.close()
  await db.close()
})

const readQuote: Statement = {
  name: 'read',
  text: 'select reply.* from api.read_quote(auth.enter($1, $2), $3) as reply',
}
const measure: Statement = {
  name: 'measure',
  text: 'select 200 as status, sha256($1::bytea)::text as body, false as is_replay',
}

const failure = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error)

describe('a call through a thread', () => {
  it('hands over 15 MiB of shared memory as they are', async () => {
    const bytes = shared(noise(fifteenMiB))
    const expected = (await db.owner.query('select sha256($1)::text as hash', [bytes])).rows[0].hash
    expect(await caller.call(measure, [bytes])).toEqual({
      status: 200,
      body: expected,
      is_replay: false,
    })
  })

  it('refuses with the code, the detail and the headers of the database', async () => {
    const id = '01993c4e-3f0a-7c63-9d3c-0a4d1b7be111'
    const unknown = await failure(caller.call(readQuote, [digestOf(tenant.key), null, id]))
    expect(unknown).toBeInstanceOf(ApiError)
    expect(unknown).toMatchObject({ status: 404, code: 'not_found', headers: {} })

    const narrow = await createKey(db, tenant.id, { scopes: [] })
    const call = caller.call(readQuote, [digestOf(narrow), 'quotes:read', id])
    expect(await failure(call)).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      headers: { 'WWW-Authenticate': expect.stringContaining('quotes:read') },
    })
  })

  it('keeps many at once apart', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => Buffer.from(`text ${index}`))
    const replies = await Promise.all(texts.map((text) => caller.call(measure, [text])))
    expect(new Set(replies.map(({ body }) => body)).size).toBe(50)
  })

  it('is 503 where no database answers', async () => {
    const nowhere = createThreadCaller('postgres://svc_api:x@127.0.0.1:9/x')
    expect(await failure(nowhere.call(measure, ['x']))).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      headers: { 'Retry-After': expect.any(String) },
    })
    await nowhere.close()
  })

  it('is 503 when it is cut for a silent database, and the next one is served', async () => {
    const cut = createThreadCaller(db.urls.api)
    const sleep = { name: 'sleep', text: 'select 200 as status, pg_sleep(60)::text as body, false as is_replay' }
    const silent = failure(cut.call(sleep, []))
    const runs = `select from pg_stat_activity where datname = current_database() and query ~ 'pg_sleep.60' and pid <> pg_backend_pid()`
    while ((await db.owner.query(runs)).rowCount === 0);
    cut.cut()
    expect(await silent).toMatchObject({ status: 503, headers: { 'Retry-After': expect.any(String) } })
    expect(await cut.call(measure, [Buffer.from('x')])).toMatchObject({ status: 200 })
    await cut.close()
  })

  it('is 503 when the thread can\'t even start', async () => {
    const broken = createThreadCaller('no address')
    expect(await failure(broken.call(measure, ['x']))).toMatchObject({ status: 503 })
    await broken.close()
  })
})
