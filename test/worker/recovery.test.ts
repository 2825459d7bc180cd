// What a kill leaves behind is put right within a minute.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'
import { type Receiver, createReceiver } from '../setup/receiver.ts'
import {
  announce,
  createEndpoint,
  createSteps,
  deliveriesOf,
  emit,
  expectSoon,
  spawnWorker,
  startTestWorker,
} from '../setup/webhooks.ts'

let db: TestDatabase
let tenant: Tenant
let partner: Receiver

beforeAll(async () => {
  db = await createDatabase()
})
beforeEach(async () => {
  tenant = await createTenant(db)
  partner = await createReceiver()
})
afterEach(async () => {
  await db.owner.query('delete from app.tenants')
  await db.owner.query('delete from outbox.workers')
  await db.owner.query('delete from graphile_worker._private_jobs')
  await partner.close()
})
afterAll(() => db.close())

const sweep = () => db.as('worker').query('select outbox.sweep()')

/** As if all workers had been silent for so long. */
const silence = (seconds: number) =>
  db.owner.query(`update outbox.workers set seen_at = now() - $1 * interval '1 second'`, [seconds])

const waitingJobs = async (): Promise<string[]> => {
  const { rows } = await db.owner.query<{ task_identifier: string }>(
    `select task_identifier from graphile_worker.jobs where locked_at is null and attempts < max_attempts`,
  )
  return rows.map((row) => row.task_identifier)
}

describe('a worker killed in the middle of a request', () => {
  it('has its deliveries sent by the next one within a minute', async () => {
    partner.answer((_request, response, count) => {
      if (count > 1) response.writeHead(204).end()
    })
    const endpoint = await createEndpoint(db, tenant, partner.url)
    const killed = await spawnWorker(db)
    await announce(db, tenant)
    await partner.until((requests) => requests.length === 1)
    await killed.kill()

    const next = await startTestWorker(db)
    const [first, again] = await partner.until((requests) => requests.length === 2, 60_000)
    expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    await expectSoon(async () => (await deliveriesOf(db, endpoint))[0]?.status, 'delivered')
    await next.stop()
  }, 300_000)
})

describe('two workers', () => {
  it('share the work, and send nothing twice', async () => {
    const endpoint = await createEndpoint(db, tenant, partner.url)
    const workers = await Promise.all([startTestWorker(db), startTestWorker(db)])
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 50 }, () => announce(db, tenant)))
    }
    await expectSoon(
      async () => (await deliveriesOf(db, endpoint)).filter((row) => row.status === 'delivered').length,
      500,
    )
    expect(partner.requests).toHaveLength(500)
    const counts = await Promise.all(workers.map(async (each) => (await each.metrics()).attempts.delivered))
    expect(counts.reduce((sum, count) => sum + count)).toBe(500)
    await Promise.all(workers.map((each) => each.stop()))
  })
})

describe('the sweep', () => {
  it('frees the claims of a worker that is silent, and wakes the endpoint', async () => {
    const steps = createSteps(db)
    const endpoint = await createEndpoint(db, tenant, partner.url)
    await steps.fanOut(await emit(db, tenant))
    await db.as('worker').query(`select outbox.beat('{steps}')`)
    await steps.outbox.claim([{ endpointId: endpoint.id, limit: 1 }])
    await db.owner.query(`update outbox.deliveries set next_attempt_at = now() - interval '6 seconds'`)

    await silence(14)
    await sweep()
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ claimed_by: 'steps' }])
    expect(await waitingJobs()).toEqual([])

    await silence(16)
    await sweep()
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ claimed_by: null }])
    expect(await waitingJobs()).toEqual(['delivery__send'])
  })

  it('unlocks the jobs of a pool that is silent, or was never heard of', async () => {
    await announce(db, tenant)
    await announce(db, tenant)
    await db.as('worker').query(`select outbox.beat('{pool-known}')`)
    await db.owner.query(
      `update graphile_worker._private_jobs
      set
        locked_at = now() - interval '16 seconds',
        locked_by = case when id = (select min(id) from graphile_worker._private_jobs)
          then 'pool-known' else 'pool-unknown' end`,
    )
    await sweep()
    expect(await waitingJobs()).toEqual(['event__fan_out'])
    await silence(16)
    await sweep()
    expect(await waitingJobs()).toEqual(['event__fan_out', 'event__fan_out'])
  })

  it('adds the job of a delivery that has none', async () => {
    const steps = createSteps(db)
    await createEndpoint(db, tenant, partner.url)
    await steps.fanOut(await emit(db, tenant))
    await db.owner.query(`update outbox.deliveries set next_attempt_at = now() + interval '1 hour'`)
    await sweep()
    await sweep()
    expect(await waitingJobs()).toEqual(['delivery__send'])
  })

  it('leaves alone what fell due just now', async () => {
    const steps = createSteps(db)
    await createEndpoint(db, tenant, partner.url)
    await steps.fanOut(await emit(db, tenant))
    await sweep()
    expect(await waitingJobs()).toEqual([])
  })
})

describe('an event whose job was lost', () => {
  it('is found and fanned out, once', async () => {
    const steps = createSteps(db)
    const endpoint = await createEndpoint(db, tenant, partner.url)
    await db.owner.query(`update outbox.endpoints set created_at = now() - interval '1 day'`)
    const batchId = await emit(db, tenant)
    await db.owner.query(`update outbox.events set created_at = now() - interval '6 minutes'`)
    const missed = () => db.as('worker').query('select outbox.missed_batches(7, 10) as id')
    expect((await missed()).rows).toEqual([{ id: batchId }])
    expect(await steps.fanOut(batchId)).toEqual([endpoint.id])
    expect((await missed()).rows).toEqual([])
    expect(await steps.fanOut(batchId)).toEqual([])
    expect(await deliveriesOf(db, endpoint)).toHaveLength(1)
  })
})

describe('a worker that is told to stop', () => {
  it('finishes running requests, and leaves neither claim nor lock nor heartbeat', async () => {
    partner.answer((_request, response) => setTimeout(() => response.writeHead(204).end(), 500))
    const endpoint = await createEndpoint(db, tenant, partner.url)
    const worker = await spawnWorker(db)
    await announce(db, tenant)
    await partner.until((requests) => requests.length === 1)
    expect(await worker.stop()).toBe(0)
    expect(await deliveriesOf(db, endpoint)).toMatchObject([{ status: 'delivered', claimed_by: null }])
    expect((await db.owner.query('select from outbox.workers')).rowCount).toBe(0)
    expect((await db.owner.query('select from graphile_worker.jobs where locked_at is not null')).rowCount).toBe(0)
  })

  it('gives up a request that hangs, and gives its delivery back', async () => {
    partner.answer(() => {})
    const endpoint = await createEndpoint(db, tenant, partner.url)
    const worker = await spawnWorker(db)
    await announce(db, tenant)
    await partner.until((requests) => requests.length === 1)
    const start = performance.now()
    expect(await worker.stop()).toBe(0)
    expect(performance.now() - start).toBeLessThan(10_000)
    expect(await deliveriesOf(db, endpoint)).toMatchObject([
      { status: 'pending', attempts: 0, claimed_by: null },
    ])
  })
})

describe('a database that cuts all connections', () => {
  it('is found again, and nothing is lost', async () => {
    const endpoint = await createEndpoint(db, tenant, partner.url)
    const worker = await startTestWorker(db)
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => announce(db, tenant)))
      await db.owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where usename = 'svc_worker' and datname = current_database()`,
      )
    }
    await expectSoon(
      async () =>
        (await deliveriesOf(db, endpoint)).filter((row) => row.status === 'delivered').length,
      50,
    )
    await worker.stop()
  })
})

describe('a claim that its worker never heard of', () => {
  it('is freed after a while, and what the worker knows of is not', async () => {
    const steps = createSteps(db)
    const endpoint = await createEndpoint(db, tenant, partner.url)
    await steps.fanOut(await emit(db, tenant), await emit(db, tenant))
    const claims = await steps.outbox.claim([{ endpointId: endpoint.id, limit: 2 }])
    const [held, lost] = claims.map(({ id }) => id)
    const free = async () =>
      (await db.as('worker').query(`select outbox.free_lost_claims('steps', $1) as n`, [[held]])).rows[0].n
    const age = (column: string) =>
      db.owner.query(`update outbox.deliveries set ${column} = now() - interval '3 minutes'`)
    await age('next_attempt_at')
    expect(await free()).toBe(0)
    await age('claimed_at')
    expect(await free()).toBe(1)
    const rows = await deliveriesOf(db, endpoint)
    expect(Object.fromEntries(rows.map((row) => [row.id, row.claimed_by]))).toEqual({
      [held!]: 'steps',
      [lost!]: null,
    })
  })

  it('is sent by that same worker, as long as it lives', async () => {
    const endpoint = await createEndpoint(db, tenant, partner.url)
    const worker = await startTestWorker(db)
    const steps = createSteps(db)
    await steps.fanOut(await emit(db, tenant))
    await db.owner.query(
      `update outbox.deliveries
      set
        claimed_by = (select id from outbox.workers where id like 'sender-%'),
        claimed_at = now() - interval '3 minutes',
        next_attempt_at = now() - interval '3 minutes'`,
    )
    await partner.until((requests) => requests.length === 1)
    await expectSoon(async () => (await deliveriesOf(db, endpoint))[0]?.status, 'delivered')
    await worker.stop()
  })
})

describe('what is past its time', () => {
  it('is removed with all that came of it, but nothing that is still to be sent', async () => {
    const steps = createSteps(db)
    const endpoint = await createEndpoint(db, tenant, partner.url)
    await db.owner.query(`update outbox.endpoints set created_at = now() - interval '90 days'`)
    const [old, waiting, young] = [await emit(db, tenant), await emit(db, tenant), await emit(db, tenant)]
    await steps.fanOut(old, young)
    await steps.send(endpoint)
    await steps.fanOut(waiting)
    for (const batchId of [old, waiting]) {
      await db.owner.query(
        `with moved as (
          insert into outbox.events (id, tenant_id, batch_id, type, data, created_at)
          select uuidv7(interval '-31 days'), tenant_id, batch_id, type, data, created_at
          from outbox.events where batch_id = $1 returning id
        )
        update outbox.deliveries set event_id = (select id from moved)
        where event_id = (select id from outbox.events where batch_id = $1)`,
        [batchId],
      )
    }
    const purge = () => db.as('worker').query<{ n: number }>('select outbox.purge_events(30, 100) as n')
    expect((await purge()).rows[0]?.n).toBe(1)
    expect((await purge()).rows[0]?.n).toBe(0)
    expect((await deliveriesOf(db, endpoint)).map((row) => row.status).sort()).toEqual(['delivered', 'pending'])
  })

  it('includes idempotency keys, and the worker can remove no younger ones', async () => {
    await db.owner.query(
      `insert into app.idempotency_keys (tenant_id, key, fingerprint, status, body, created_at)
      select $1, 'k' || hours, '', 201, '{}', now() - hours * interval '1 hour'
      from unnest(array[0, 2, 23, 25, 100]) as hours`,
      [tenant.id],
    )
    const purge = (hours: number) =>
      db.as('worker').query<{ n: number }>('select outbox.purge_idempotency_keys($1, 100) as n', [hours])
    expect((await purge(24)).rows[0]?.n).toBe(2)
    expect((await purge(0)).rows[0]?.n).toBe(2)
    const { rows } = await db.owner.query('select key from app.idempotency_keys')
    expect(rows).toEqual([{ key: 'k0' }])
    await expect(db.as('worker').query('delete from app.idempotency_keys')).rejects.toMatchObject({ code: '42501' })
  })
})
