// One endpoint that takes requests and never answers, with a thousand deliveries before
// it, beside others that are well.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CreatedEndpoint } from '../../src/webhooks/registry.ts'
import type { Worker } from '../../worker/main.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from '../setup/database.ts'
import { type Receiver, createReceiver } from '../setup/receiver.ts'
import { announce, createEndpoint, deliveriesOf, emit, startTestWorker } from '../setup/webhooks.ts'

let db: TestDatabase
let worker: Worker
let healthy: Receiver
let hanging: Receiver
let tenants: Tenant[]
let bad: CreatedEndpoint

beforeAll(async () => {
  db = await createDatabase()
  healthy = await createReceiver()
  hanging = await createReceiver()
  hanging.answer(() => {})
  tenants = await Promise.all(Array.from({ length: 20 }, () => createTenant(db)))
  for (const tenant of tenants) await createEndpoint(db, tenant, `${healthy.url}/${tenant.slug}`)
  const badTenant = await createTenant(db)
  bad = await createEndpoint(db, badTenant, hanging.url)
  const batchId = await emit(db, badTenant, Array<string>(1000).fill('quote.created'))
  await db.owner.query('select outbox.add_fan_out_job($1)', [batchId])
  worker = await startTestWorker(db)
  await hanging.until((requests) => requests.length > 0)
})
afterAll(async () => {
  await worker.stop()
  await Promise.all([healthy.close(), hanging.close()])
  await db.close()
})

describe('a hanging endpoint', () => {
  it('holds up none of the others', async () => {
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(tenants.map((tenant) => announce(db, tenant)))
      await healthy.until((requests) => requests.length === (round + 1) * tenants.length, 10_000)
    }
    const states = (await deliveriesOf(db, bad)).map((row) => row.status)
    expect(states).toEqual(Array<string>(1000).fill('pending'))
  })

  it('holds no more than its small share of requests and claims', async () => {
    const claimed = (await deliveriesOf(db, bad)).filter((row) => row.claimed_by !== null)
    expect(hanging.requests.length).toBeLessThanOrEqual(4)
    expect(claimed.length).toBeLessThanOrEqual(40)
  })
})
