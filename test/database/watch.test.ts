// A database that has gone silent is noticed, whatever its connections say.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { type Proxy, startProxy } from '../../chaos/proxy.ts'
import { guardCaller } from '../../src/database/guard.ts'
import { createCaller } from '../../src/database/pool.ts'
import { type Watch, watchDatabase } from '../../src/database/watch.ts'
import { type TestDatabase, createDatabase } from '../setup/database.ts'

let db: TestDatabase
let network: Proxy
let watch: Watch
beforeAll(async () => {
  db = await createDatabase()
})
beforeEach(async () => {
  network = await startProxy(db.urls.api)
  watch = watchDatabase({
    url: network.url,
    log: pino({ level: 'silent' }),
    applicationName: 'svc_api',
    everyMs: 50,
    patienceMs: 2000,
  })
})
afterEach(async () => {
  await watch.close()
  await network.close()
})
afterAll(() => db.close())

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await sleep(20)
}

const statement = { name: 'one', text: `select 200 as status, '1' as body, false as is_replay` }
const asleep = { name: 'asleep', text: `select 200 as status, pg_sleep(600)::text as body, false as is_replay` }

describe('while the network is silent', () => {
  it('calls that wait are refused, and later ones at once, until the database answers again', async () => {
    const pool = createCaller(network.url, { stream: watch.stream })
    const caller = guardCaller(pool, watch, () => true)
    let isTold = false
    watch.onDown(() => (isTold = true))
    expect(await caller.call(statement, [])).toMatchObject({ status: 200 })

    network.silence()
    // On a connection that looks as good as ever.
    await expect(caller.call(statement, [])).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': expect.any(String) } })
    await until(() => !watch.isUp())
    expect(isTold).toBe(true)
    await expect(caller.call(statement, [])).rejects.toMatchObject({ status: 503 })

    network.heal()
    await until(watch.isUp)
    expect(await caller.call(statement, [])).toMatchObject({ status: 200 })
    await pool.close()
  })
})

describe('a database is NOT taken for silent', () => {
  it('because a statement takes long', async () => {
    const pool = createCaller(network.url, { stream: watch.stream })
    const long = pool.call(asleep, []).catch(() => 'ended')
    await sleep(3000)
    expect(watch.isUp()).toBe(true)
    await db.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ~ 'pg_sleep.600' and pid <> pg_backend_pid()`,
    )
    expect(await long).toBe('ended')
    await pool.close()
  })

  it('because the connection that asks is ended', async () => {
    const states: boolean[] = []
    for (let round = 0; round < 10; round += 1) {
      await db.owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'svc_api'`,
      )
      await sleep(60)
      states.push(watch.isUp())
    }
    expect(states).not.toContain(false)
  })

  it('because it refuses a connection for a reason of its own', async () => {
    const url = new URL(network.url)
    url.pathname = '/no_such_database'
    const other = watchDatabase({ url: url.href, log: pino({ level: 'silent' }), applicationName: 'svc_api', everyMs: 50, patienceMs: 500 })
    await expect(new pg.Client({ connectionString: url.href }).connect()).rejects.toMatchObject({ code: '3D000' })
    await sleep(300)
    expect(other.isUp()).toBe(true)
    await other.close()
  })
})
