import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Worker } from '../../worker/main.ts'
import { type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'
import { type Receiver, createReceiver, verify } from '../setup/receiver.ts'
import { createEndpoint, startTestWorker } from '../setup/webhooks.ts'

let api: TestApi
let worker: Worker
const receivers: Receiver[] = []

const receiver = async (): Promise<Receiver> => {
  const created = await createReceiver()
  receivers.push(created)
  return created
}

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
    const endpoint = await createEndpoint(api.db, api.tenant, partner.url)

    const quote = await api.send('POST', '/quotes', { headers: freshKey(), body: quoteRequest() })

    const [request] = await partner.until((requests) => requests.length === 1)
    expect(verify(request!, endpoint.secret)).toEqual({
      type: 'quote.created',
      timestamp: quote.body.created_at,
      data: { id: quote.body.id, external_reference: null, action: 'created' },
    })
  })
})
