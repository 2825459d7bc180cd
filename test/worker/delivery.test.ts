// The whole way: a request to the API, its commit, the worker, a partner's server.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { WebhookVerificationError } from 'standardwebhooks'
import type { EventType } from '../../src/webhooks/events.ts'
import { rotateSecret } from '../../src/webhooks/registry.ts'
import { sealingKey } from '../../src/webhooks/secret.ts'
import type { Worker } from '../../worker/main.ts'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'
import { type Tenant, createTenant } from '../setup/database.ts'
import { type Receiver, createReceiver, status, verify } from '../setup/receiver.ts'
import {
  announce as announceTo,
  createEndpoint,
  deliveriesOf,
  emit,
  endpointRow,
  expectSoon,
  startTestWorker,
  testConfig,
} from '../setup/webhooks.ts'

let api: TestApi
let worker: Worker
const receivers: Receiver[] = []

const receiver = async (): Promise<Receiver> => {
  const created = await createReceiver()
  receivers.push(created)
  return created
}

const announce = (tenant: Tenant, types?: EventType[]): Promise<void> =>
  announceTo(api.db, tenant, types)

const createQuote = (key = api.tenant.key) =>
  api.send('POST', '/quotes', { key, headers: freshKey(), body: quoteRequest() })

beforeAll(async () => {
  api = await createApi()
  await createProducts(api.db, api.tenant)
  worker = await startTestWorker(api.db)
})
afterEach(async () => {
  await api.db.owner.query('delete from outbox.endpoints')
  await Promise.all(receivers.splice(0).map((each) => each.close()))
})
afterAll(async () => {
  await worker?.stop()
  await api?.close()
})

describe('a delivery', () => {
  it('brings quote.created to an endpoint, signed in the standard format', async () => {
    const partner = await receiver()
    const endpoint = await createEndpoint(api.db, api.tenant, `${partner.url}/a?b=c`)

    const quote = await createQuote()

    const [request] = await partner.until((requests) => requests.length === 1)
    expect(request!.path).toBe('/hook/a?b=c')
    expect(request!.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(verify(request!, endpoint.secret)).toEqual({
      type: 'quote.created',
      timestamp: quote.body.created_at,
      data: { id: quote.body.id, external_reference: null, action: 'created' },
    })
  })

  it('can NOT be verified with another secret, or after a change', async () => {
    const partner = await receiver()
    const endpoint = await createEndpoint(api.db, api.tenant, partner.url)
    const other = await createEndpoint(api.db, await createTenant(api.db), partner.url)
    await announce(api.tenant)
    const [request] = await partner.until((requests) => requests.length === 1)
    expect(() => verify(request!, other.secret)).toThrow(WebhookVerificationError)
    expect(() => verify({ ...request!, body: request!.body.replace('created', 'creates') }, endpoint.secret)).toThrow(WebhookVerificationError)
  })

  it('has a webhook-id of its event: the same for each endpoint', async () => {
    const partner = await receiver()
    await createEndpoint(api.db, api.tenant, `${partner.url}/1`)
    await createEndpoint(api.db, api.tenant, `${partner.url}/2`)
    await announce(api.tenant, ['quote.created', 'lead.upserted'])
    const requests = await partner.until((all) => all.length === 4)
    const ids = (path: string) =>
      new Set(
        requests.filter((each) => each.path.endsWith(path)).map(({ headers }) => headers['webhook-id']),
      )
    expect(ids('/1')).toEqual(ids('/2'))
    expect(ids('/1').size).toBe(2)
  })

  it('is retried after a failure, with the same id and body', async () => {
    const partner = await receiver()
    partner.answer((_request, response, count) => {
      response.writeHead(count === 1 ? 500 : 204).end()
    })
    const endpoint = await createEndpoint(api.db, api.tenant, partner.url)
    await announce(api.tenant)
    const [first, again] = await partner.until((requests) => requests.length === 2)
    expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(again!.body).toBe(first!.body)
    // 5 s ± 20 %, and as late as the runner looks for jobs.
    expect((again!.at - first!.at) / 1000).toBeGreaterThan(3.9)
    expect((again!.at - first!.at) / 1000).toBeLessThan(7)
    verify(again!, endpoint.secret)
  })

  it('follows no redirect', async () => {
    const [partner, elsewhere] = [await receiver(), await receiver()]
    partner.answer(status(307, { location: elsewhere.url }))
    const endpoint = await createEndpoint(api.db, api.tenant, partner.url)
    await announce(api.tenant)
    await partner.until((requests) => requests.length === 1)
    await expectSoon(async () => (await deliveriesOf(api.db, endpoint))[0]?.response_status, 307)
    expect(elsewhere.requests).toHaveLength(0)
  })
})

describe('an event', () => {
  it('reaches exactly the endpoints that want it', async () => {
    const [ours, theirs] = [api.tenant, await createTenant(api.db)]
    const partner = await receiver()
    const at = (path: string) => `${partner.url}/${path}`
    await createEndpoint(api.db, ours, at('ours-all'))
    await createEndpoint(api.db, ours, at('ours-quotes'), ['quote.created'])
    await createEndpoint(api.db, ours, at('ours-directory'), ['organization.upserted', 'lead.upserted'])
    await createEndpoint(api.db, theirs, at('theirs-all'))
    await announce(ours, ['quote.created', 'organization.upserted', 'lead.upserted'])
    await announce(theirs, ['lead.upserted'])

    const requests = await partner.until((all) => all.length === 7)
    const arrivals = requests.map(({ path, body }) => `${path.slice(6)} ${JSON.parse(body).type}`)
    expect(arrivals.sort()).toEqual([
      'ours-all lead.upserted',
      'ours-all organization.upserted',
      'ours-all quote.created',
      'ours-directory lead.upserted',
      'ours-directory organization.upserted',
      'ours-quotes quote.created',
      'theirs-all lead.upserted',
    ])
  })

  it('that was rolled back is never sent, and the next one is', async () => {
    const partner = await receiver()
    await createEndpoint(api.db, api.tenant, partner.url)
    const client = await api.db.owner.connect()
    await client.query('begin')
    await client.query(
      `with event as (
        insert into outbox.events (tenant_id, batch_id, type, data)
        values ($1, uuidv7(), 'quote.created', '{"id": "rolled back"}') returning batch_id
      ) select outbox.add_fan_out_job(batch_id) from event`,
      [api.tenant.id],
    )
    await client.query('rollback')
    client.release()
    const quote = await createQuote()
    const [request] = await partner.until((requests) => requests.length === 1)
    expect(JSON.parse(request!.body).data.id).toBe(quote.body.id)
    const { rows } = await api.db.owner.query(`select from outbox.events where data ->> 'id' = 'rolled back'`)
    expect(rows).toHaveLength(0)
  })

  it('from before an endpoint was registered is not sent to it', async () => {
    const [early, late] = [await receiver(), await receiver()]
    await createEndpoint(api.db, api.tenant, early.url)
    const batchId = await emit(api.db, api.tenant)
    const endpoint = await createEndpoint(api.db, api.tenant, late.url)
    await api.db.owner.query('select outbox.add_fan_out_job($1)', [batchId])
    await early.until((requests) => requests.length === 1)
    expect(await deliveriesOf(api.db, endpoint)).toEqual([])
  })

  it('of a transaction with a hundred rows arrives whole, one by one', async () => {
    const partner = await receiver()
    await createEndpoint(api.db, api.tenant, partner.url)
    await announce(api.tenant, Array<EventType>(100).fill('organization.upserted'))
    const requests = await partner.until((all) => all.length === 100)
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(100)
  })
})

describe('a rotated secret', () => {
  it('signs beside the old one until the overlap ends', async () => {
    const partner = await receiver()
    const endpoint = await createEndpoint(api.db, api.tenant, partner.url)
    const key = sealingKey(testConfig, api.db.credentials)
    const rotated = await rotateSecret(api.db.owner, endpoint.id, 86_400, key)
    await announce(api.tenant)
    const [during] = await partner.until((requests) => requests.length === 1)
    verify(during!, rotated.secret)
    verify(during!, endpoint.secret)

    await api.db.owner.query(
      `update outbox.endpoints set previous_secret_expires_at = now() where id = $1`,
      [endpoint.id],
    )
    await announce(api.tenant)
    const [, after] = await partner.until((requests) => requests.length === 2)
    verify(after!, rotated.secret)
    expect(() => verify(after!, endpoint.secret)).toThrow(WebhookVerificationError)
  })
})

describe('an endpoint that answers 410', () => {
  it('is disabled, and later events are skipped', async () => {
    const partner = await receiver()
    partner.answer(status(410))
    const endpoint = await createEndpoint(api.db, api.tenant, partner.url)
    await announce(api.tenant)
    await expectSoon(async () => (await endpointRow(api.db, endpoint))?.disabled_reason, 'gone')
    await announce(api.tenant)
    await expectSoon(async () => (await deliveriesOf(api.db, endpoint))[1]?.status, 'skipped')
    expect(partner.requests).toHaveLength(1)
  })
})

describe('what the worker says of itself', () => {
  it('counts attempts by outcome and the time to delivery', async () => {
    const before = await worker.metrics()
    const partner = await receiver()
    const endpoint = await createEndpoint(api.db, api.tenant, partner.url)
    await announce(api.tenant)
    await expectSoon(async () => (await deliveriesOf(api.db, endpoint))[0]?.status, 'delivered')
    partner.answer(status(500))
    await announce(api.tenant)
    await expectSoon(async () => (await deliveriesOf(api.db, endpoint))[1]?.attempts, 1)
    await expectSoon(async () => (await worker.metrics()).attempts.status - before.attempts.status, 1)
    const after = await worker.metrics()
    expect(after.attempts.delivered - before.attempts.delivered).toBe(1)
    expect(after.delay.counts.at(-1)! - before.delay.counts.at(-1)!).toBe(1)
    expect(after.delay.sum).toBeGreaterThan(before.delay.sum)
    expect(after.queue).toMatchObject({ deliveries_scheduled: 1, endpoints_enabled: 1, endpoints_failing: 1 })
    expect(after.queue.oldest_undelivered_seconds).toBeGreaterThan(0)
  })
})
