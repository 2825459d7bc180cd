// The life of a delivery, a step at a time with a clock of its own: what takes days in
// production takes no time here.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/config.ts'
import type { CreatedEndpoint } from '../../src/webhooks/registry.ts'
import { delays, parseRetryAfter, retryDelay } from '../../worker/delivery/schedule.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'
import { type Receiver, createReceiver, status, verify } from '../setup/receiver.ts'
import {
  type Steps,
  createEndpoint,
  createSteps,
  deliveriesOf,
  emit,
  endpointRow,
} from '../setup/webhooks.ts'

const second = 1000
const hour = 3600 * second
const day = 24 * hour

let db: TestDatabase
let tenant: Tenant
let partner: Receiver
let endpoint: CreatedEndpoint
let steps: Steps

beforeAll(async () => {
  db = await createDatabase()
})
beforeEach(async () => {
  tenant = await createTenant(db)
  partner = await createReceiver()
  endpoint = await createEndpoint(db, tenant, partner.url)
  steps = createSteps(db)
})
afterEach(async () => {
  await steps.close()
  await partner.close()
})
afterAll(() => db.close())

const deliver = async (): Promise<void> => {
  await steps.fanOut(await emit(db, tenant))
  await steps.send(endpoint)
}

/** Takes the job that looks after the endpoint; in how many milliseconds it would run. */
async function wakesIn(): Promise<number | undefined> {
  const { rows } = await db.owner.query<{ run_at: Date }>(
    'select (graphile_worker.remove_job($1)).run_at where $1 in (select key from graphile_worker.jobs)',
    [`endpoint:${endpoint.id}`],
  )
  return rows[0] && rows[0].run_at.getTime() - steps.now.getTime()
}

describe('a delivery that succeeds', () => {
  it('is delivered at the first attempt, and nothing is left to do', async () => {
    await deliver()
    expect(await deliveriesOf(db, endpoint)).toMatchObject([
      { status: 'delivered', attempts: 1, response_status: 204, next_attempt_at: null, claimed_by: null },
    ])
    expect(await wakesIn()).toBeUndefined()
    steps.pass(30 * day)
    expect(await steps.send(endpoint)).toEqual([])
  })

  it('leaves its attempt with the time, the status and the answer', async () => {
    partner.answer(status(200, {}, 'thanks'))
    await deliver()
    const { rows } = await db.owner.query(
      `select number, started_at, attempts.response_status, response_body, error_class, error
      from outbox.attempts join outbox.deliveries on deliveries.id = delivery_id
      where endpoint_id = $1`,
      [endpoint.id],
    )
    expect(rows).toEqual([
      {
        number: 1,
        started_at: steps.now,
        response_status: 200,
        response_body: 'thanks',
        error_class: null,
        error: null,
      },
    ])
  })
})

describe('a delivery that fails', () => {
  it('is tried ten times, each after its delay, and then given up', async () => {
    partner.answer(status(500))
    await steps.fanOut(await emit(db, tenant))
    for (const [index, delay] of delays.entries()) {
      expect(await steps.send(endpoint)).toHaveLength(1)
      const [delivery] = await deliveriesOf(db, endpoint)
      expect(delivery).toMatchObject({ status: 'pending', attempts: index + 1, response_status: 500 })
      expect(delivery!.next_attempt_at!.getTime() - steps.now.getTime()).toBe(delay)
      expect(await wakesIn()).toBe(delay)
      steps.pass(delay - 1)
      expect(await steps.send(endpoint)).toEqual([])
      expect(await wakesIn()).toBe(1)
      steps.pass(1)
    }
    await steps.send(endpoint)
    expect(await deliveriesOf(db, endpoint)).toMatchObject([
      { status: 'failed', attempts: 10, response_status: 500, next_attempt_at: null },
    ])
    steps.pass(30 * day)
    expect(await steps.send(endpoint)).toEqual([])
    expect(new Set(partner.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('can succeed at a later attempt', async () => {
    partner.answer((_request, response, count) => {
      response.writeHead(count < 3 ? 503 : 204).end()
    })
    await deliver()
    steps.pass(5 * second)
    await steps.send(endpoint)
    steps.pass(5 * 60 * second)
    await steps.send(endpoint)
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ status: 'delivered', attempts: 3 }])
    for (const request of partner.requests) {
      const timestamp = Number(request.headers['webhook-timestamp'])
      expect(Math.abs(timestamp - steps.now.getTime() / 1000)).toBeLessThan(306)
    }
  })

  it('signs each attempt with its own time', async () => {
    partner.answer(status(500))
    await deliver()
    steps.pass(6 * second)
    await steps.send(endpoint)
    const [first, second_] = partner.requests.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(second_! - first!).toBe(6)
    expect(partner.requests[0]?.body).toBe(partner.requests[1]?.body)
    verify(partner.requests[0]!, endpoint.secret)
    verify(partner.requests[1]!, endpoint.secret)
  })

  it('whose receiver is not there says so by its class', async () => {
    await partner.close()
    await deliver()
    const { rows } = await db.owner.query(
      `select error_class, attempts.response_status from outbox.attempts
      join outbox.deliveries on deliveries.id = delivery_id where endpoint_id = $1`,
      [endpoint.id],
    )
    expect(rows).toEqual([{ error_class: 'connection', response_status: null }])
    partner = await createReceiver()
  })
})

describe('the schedule', () => {
  it.each([...delays.entries()])('varies delay %i by a fifth each way', (index, delay) => {
    expect(retryDelay(index + 1, null, 0)).toBe(Math.round(delay * 0.8))
    expect(retryDelay(index + 1, null, 0.5)).toBe(delay)
    expect(retryDelay(index + 1, null, 0.999_999_999)).toBe(Math.round(delay * 1.2))
  })

  it('ends after the tenth attempt', () => {
    expect(retryDelay(10, null)).toBeNull()
    expect(retryDelay(10, hour)).toBeNull()
  })

  it('takes Retry-After as a minimum', () => {
    expect(retryDelay(1, 60 * second, 0.5)).toBe(60 * second)
    expect(retryDelay(2, 60 * second, 0.5)).toBe(300 * second)
  })

  it.each([
    ['120', 120 * second],
    [' 5 ', 5 * second],
    ['0', 0],
    ['86400', day],
    ['86401', day],
    ['99999999999', day],
    ['Sun, 01 Nov 2026 10:00:30 GMT', 30 * second],
    ['Sun, 01 Nov 2026 09:00:00 GMT', 0],
    ['Sun, 01 Nov 2030 10:00:00 GMT', day],
    ['Sunday, 01-Nov-26 10:01:00 GMT', 60 * second],
    ['', null],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['12 apples', null],
    [undefined, null],
  ])('reads Retry-After: %s', (header, expected) => {
    expect(parseRetryAfter(header, Date.parse('2026-11-01T10:00:00Z'))).toBe(expected)
  })

  it.each([
    ['seconds', () => '600', 600 * second],
    ['a date', () => new Date(Math.floor(steps.now.getTime() / 1000) * 1000 + 601 * second).toUTCString(), 600 * second],
    ['more than a day', () => '172800', day],
    ['less than the delay', () => '1', 5 * second],
  ])('is put off by an endpoint that asks for %s', async (_name, header, expected) => {
    partner.answer(status(429, { 'retry-after': header() }))
    await deliver()
    const [delivery] = await deliveriesOf(db, endpoint)
    const wait = delivery!.next_attempt_at!.getTime() - steps.now.getTime()
    expect(wait).toBeGreaterThanOrEqual(expected)
    expect(wait).toBeLessThanOrEqual(expected + second)
  })
})

describe('410 Gone', () => {
  it('disables the endpoint, fails the delivery and skips what else was coming', async () => {
    partner.answer(status(500))
    await deliver()
    partner.answer(status(410))
    await deliver()
    expect((await deliveriesOf(db, endpoint)).map((row) => row.status)).toEqual(['skipped', 'failed'])
    expect(await endpointRow(db, endpoint)).toMatchObject({ disabled_at: steps.now, disabled_reason: 'gone' })
    steps.pass(day)
    expect(await steps.send(endpoint)).toEqual([])
  })
})

describe('five days of nothing but failures', () => {
  const failFor = async (duration: number): Promise<void> => {
    partner.answer(status(500))
    await deliver()
    steps.pass(duration)
    await deliver()
  }

  it('disable the endpoint', async () => {
    await failFor(5 * day)
    expect(await endpointRow(db, endpoint)).toMatchObject({ disabled_reason: 'failing' })
    expect((await deliveriesOf(db, endpoint)).map((row) => row.status)).toEqual(['skipped', 'skipped'])
  })

  it('less a second don\'t', async () => {
    await failFor(5 * day - second)
    expect(await endpointRow(db, endpoint)).toMatchObject({ disabled_at: null })
  })

  it('with one success among them don\'t', async () => {
    await failFor(3 * day)
    partner.answer(status(204))
    await deliver()
    expect(await endpointRow(db, endpoint)).toMatchObject({ failing_since: null })
    await failFor(3 * day)
    expect(await endpointRow(db, endpoint)).toMatchObject({ disabled_at: null })
  })
})

describe('a disabled endpoint', () => {
  const disable = () => db.owner.query(`select outbox.disable_endpoint($1, 'operator')`, [endpoint.id])

  it('has its deliveries recorded as skipped', async () => {
    await disable()
    await deliver()
    expect(await deliveriesOf(db, endpoint)).toMatchObject([
      { status: 'skipped', attempts: 0, next_attempt_at: null },
    ])
    expect(partner.requests).toHaveLength(0)
  })

  it('has what was waiting skipped', async () => {
    partner.answer(status(500))
    await deliver()
    await disable()
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ status: 'skipped', attempts: 1 }])
  })

  it('has the outcome of a request under way recorded all the same', async () => {
    await steps.fanOut(await emit(db, tenant))
    partner.answer((_request, response) => {
      void disable().then(() => response.writeHead(204).end())
    })
    await steps.send(endpoint)
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ status: 'delivered', attempts: 1 }])
  })

  it('gets no second try of a request that failed under way', async () => {
    await steps.fanOut(await emit(db, tenant))
    partner.answer((_request, response) => {
      void disable().then(() => response.writeHead(500).end())
    })
    await steps.send(endpoint)
    expect(await deliveriesOf(db, endpoint)).toMatchObject([
      { status: 'skipped', attempts: 1, claimed_by: null },
    ])
  })

  it('is sent nothing by being enabled again', async () => {
    await disable()
    await deliver()
    await db.owner.query(
      'update outbox.endpoints set disabled_at = null, disabled_reason = null where id = $1',
      [endpoint.id],
    )
    steps.pass(day)
    expect(await steps.send(endpoint)).toEqual([])
  })
})

describe('a replay', () => {
  const replay = async (): Promise<void> => {
    const [delivery] = await deliveriesOf(db, endpoint)
    await db.owner.query('select outbox.replay_deliveries(array[$1::uuid])', [delivery!.id])
    steps.pass(second)
  }

  it('sends a delivered event again with the same webhook-id', async () => {
    await deliver()
    await replay()
    await steps.send(endpoint)
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ status: 'delivered', attempts: 2 }])
    expect(new Set(partner.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(partner.requests).toHaveLength(2)
  })

  it('is one attempt, whose failure changes nothing', async () => {
    await deliver()
    partner.answer(status(500))
    await replay()
    await steps.send(endpoint)
    expect(await deliveriesOf(db, endpoint)).toMatchObject([
      { status: 'delivered', attempts: 2, next_attempt_at: null },
    ])
    expect(await endpointRow(db, endpoint)).toMatchObject({ failing_since: null })
  })

  it('whose success ends no streak', async () => {
    partner.answer(status(410))
    await deliver()
    await db.owner.query(
      `update outbox.endpoints
      set disabled_at = null, disabled_reason = null, failing_since = $2 where id = $1`,
      [endpoint.id, steps.now],
    )
    partner.answer(status(204))
    await replay()
    await steps.send(endpoint)
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ status: 'delivered', attempts: 2 }])
    expect((await endpointRow(db, endpoint))?.failing_since).not.toBeNull()
  })

  it('of a delivery that waits leaves its place in the schedule', async () => {
    partner.answer(status(500))
    await deliver()
    await replay()
    await steps.send(endpoint)
    const [delivery] = await deliveriesOf(db, endpoint)
    expect(delivery).toMatchObject({ status: 'pending', attempts: 2 })
    expect(delivery!.next_attempt_at!.getTime() - steps.now.getTime()).toBe(delays[0])
  })

  it('is refused for a disabled endpoint', async () => {
    await deliver()
    await db.owner.query(`select outbox.disable_endpoint($1, 'operator')`, [endpoint.id])
    await replay()
    expect(await steps.send(endpoint)).toEqual([])
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ next_attempt_at: null }])
  })
})

describe('a claim', () => {
  it('keeps other workers away until it is given up', async () => {
    const other = createSteps(db, { workerId: 'other' })
    await steps.fanOut(await emit(db, tenant))
    const [claim] = await steps.outbox.claim([{ endpointId: endpoint.id, limit: 10 }])
    other.pass(second)
    expect(await other.send(endpoint)).toEqual([])
    await steps.outbox.release([claim!.id])
    expect(await other.send(endpoint)).toHaveLength(1)
    await other.close()
  })

  it('that was lost still counts when the event arrived', async () => {
    const other = createSteps(db, { workerId: 'other' })
    await steps.fanOut(await emit(db, tenant))
    const claims = await steps.outbox.claim([{ endpointId: endpoint.id, limit: 10 }])
    await db.owner.query('select outbox.retire_workers($1)', [['steps']])
    other.pass(second)
    await other.outbox.claim([{ endpointId: endpoint.id, limit: 10 }])
    await steps.outbox.record(claims.map(recordOf({ error_class: null })))
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ status: 'delivered', next_attempt_at: null }])
    await other.close()
  })

  it('that was lost decides nothing when the event did not arrive', async () => {
    const other = createSteps(db, { workerId: 'other' })
    await steps.fanOut(await emit(db, tenant))
    const claims = await steps.outbox.claim([{ endpointId: endpoint.id, limit: 10 }])
    await db.owner.query('select outbox.retire_workers($1)', [['steps']])
    other.pass(second)
    await other.outbox.claim([{ endpointId: endpoint.id, limit: 10 }])
    await steps.outbox.record(claims.map(recordOf({ error_class: 'timeout' })))
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ status: 'pending', claimed_by: 'other' }])
    await other.close()
  })

  const recordOf =
    (parts: { error_class: 'timeout' | null }) =>
    ({ id }: { id: string }) => ({
      delivery_id: id,
      started_at: steps.now.toISOString(),
      duration_ms: 1,
      response_status: null,
      response_body: null,
      error: null,
      retry_ms: 5000,
      is_replay: false,
      is_test: false,
      ...parts,
    })
})

describe('webhook.test', () => {
  it('is one attempt, on no account', async () => {
    partner.answer(status(500))
    await db.owner.query('select outbox.send_test($1)', [endpoint.id])
    steps.pass(second)
    await steps.send(endpoint)
    expect(verify(partner.requests[0]!, endpoint.secret)).toMatchObject({
      type: 'webhook.test',
      data: { id: endpoint.id, action: 'test' },
    })
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ status: 'failed', attempts: 1 }])
    expect(await endpointRow(db, endpoint)).toMatchObject({ failing_since: null })
  })
})

describe('production', () => {
  it('sends nothing to an http URL that was registered earlier', async () => {
    const config = readConfig({ SVC_ENVIRONMENT: 'production', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' })
    const production = createSteps(db, { config })
    await production.fanOut(await emit(db, tenant))
    await production.send(endpoint)
    expect(partner.requests).toHaveLength(0)
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ status: 'pending', attempts: 1 }])
    await production.close()
  })
})
