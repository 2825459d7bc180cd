// Calls under faults: what is lost fails alone and soon, and the next one works.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Proxy, startProxy } from '../../chaos/proxy.ts'
import { type Caller, type Statement, createCaller } from '../../src/database/pool.ts'
import { type TestDatabase, createDatabase } from '../setup/database.ts'

let db: TestDatabase
let network: Proxy
let caller: Caller
let begin: string

beforeAll(async () => {
  db = await createDatabase()
  // What the functions of schema api do, without their rules.
  await db.owner.query(`
    create function api.test_answer(p_text text, p_seconds double precision)
    returns api.reply language plpgsql set search_path = '' as $$
    begin
      perform pg_sleep(p_seconds);
      if p_text = 'refused' then
        raise exception using errcode = 'PT404', constraint = 'not_found', message = 'No.';
      end if;
      return row(200, p_text || ' ' || pg_backend_pid(), false)::api.reply;
    end $$;
    grant execute on function api.test_answer(text, double precision) to svc_api`)
})
beforeEach(async () => {
  const { rows } = await db.owner.query<{ now: string }>('select clock_timestamp()::text as now')
  begin = rows[0]?.now ?? ''
  network = await startProxy(db.urls.api)
  caller = createCaller(network.url)
})
afterEach(async () => {
  await caller.close()
  await network.close()
})
afterAll(() => db.close())

const statement = (isQuick: boolean): Statement => ({
  name: 'test_answer',
  isQuick,
  text: 'select reply.status, reply.body, reply.is_replay from api.test_answer($1, $2) as reply',
})
const ask = async (isQuick: boolean, text: string, seconds = 0): Promise<string> =>
  (await caller.call(statement(isQuick), [text, seconds])).body

/** Statements of this test that the database works on; one that was cut off goes on for a while. */
async function running(): Promise<number> {
  const { rows } = await db.owner.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
    where usename = 'svc_api' and datname = current_database() and state = 'active'
      and backend_start > $1`,
    [begin],
  )
  return rows[0]?.count ?? 0
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await isSo()) && Date.now() < deadline) await sleep(20)
}

const lanes = [
  { lane: 'the pipelines', isQuick: true },
  { lane: 'the pool', isQuick: false },
]
const unavailable = { status: 503, code: 'service_unavailable', headers: { 'Retry-After': '2' } }

describe.each(lanes)('$lane', ({ isQuick }) => {
  it('give each call its own answer, whatever becomes of its neighbours', async () => {
    const asked = Array.from({ length: 200 }, (_, index) => (index % 3 ? `call-${index}` : 'refused'))
    const answers = await Promise.allSettled(asked.map((text) => ask(isQuick, text)))
    const seen = answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value.split(' ')[0] : answer.reason.code,
    )
    expect(seen).toEqual(asked.map((text) => (text === 'refused' ? 'not_found' : text)))
  })

  it('keep their connection after a refusal', async () => {
    const before = await ask(isQuick, 'pid')
    await expect(ask(isQuick, 'refused')).rejects.toMatchObject({ code: 'not_found' })
    expect(await ask(isQuick, 'pid')).toBe(before)
  })

  it('fail what is under way when the network is cut, and connect anew', async () => {
    await ask(isQuick, 'warm')
    // Each in a turn of its own: those of one turn share a pipeline.
    const lost: Promise<string>[] = []
    while (lost.length < 3) {
      lost.push(ask(isQuick, 'lost', 10))
      await nextTurn()
    }
    const failed = Promise.allSettled(lost)
    await until(async () => (await running()) === lost.length)
    network.cut()
    network.heal()
    for (const answer of await failed) expect(answer).toMatchObject({ reason: unavailable })
    expect(await ask(isQuick, 'next')).toMatch(/^next /)
  })

  it('refuse what is more than can wait', async () => {
    await ask(isQuick, 'warm')
    const calls = Array.from({ length: 3000 }, () => ask(isQuick, 'many', isQuick ? 0 : 0.01))
    const answers = await Promise.allSettled(calls)
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused.length).toBeGreaterThanOrEqual(isQuick ? 1000 : 2490)
    expect(refused.length).toBeLessThan(3000)
    for (const answer of refused) expect(answer).toMatchObject({ reason: unavailable })
  })
})
