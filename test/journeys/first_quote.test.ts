// From nothing to a delivered webhook, as a new user goes: one start, the operator's
// commands, a partner's calls, a stop, and a second start that finds it all.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { type Deployment, admin, startDeployment } from '../setup/process.ts'

type Delivery = { headers: IncomingHttpHeaders; body: string }

let dataDir: string
let deployment: Deployment
let receiver: Server
const { promise: arrived, resolve: arrive } = Promise.withResolvers<Delivery>()
const environment = (): Record<string, string> => ({
  DATA_DIR: dataDir,
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
})

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'appraisal-journey-'))
  deployment = await startDeployment(environment())
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      response.end()
      arrive({ headers: request.headers, body })
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
})
afterAll(async () => {
  await deployment.stop()
  receiver.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function call(key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${deployment.api}/public/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'journey-1',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const request = {
  external_reference: 'LOS-1',
  product_code: 'URAR',
  subject: { line1: '12 Main St', state: 'VA', county: 'Fairfax County' },
  client: { name: 'Jane Doe', email: 'jane@example.com' },
  notes: 'Gate code 1234. The Zestimate is $450,000.',
}

describe('a new user', () => {
  let key: string
  let quote: { id: string }

  it('gets the demo key once, at the first start', () => {
    key = /svc_test_[0-9A-Za-z]{38}/.exec(deployment.output)?.[0] ?? ''
    expect(key).not.toBe('')
    expect(deployment.output).toMatch(/svc_analyst_/)
  })

  it('registers an endpoint, and requests a quote twice with one key', async () => {
    const { port } = receiver.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/hook`
    const create = ['--tenant', 'demo', '--url', url, '--events', 'quote.created']
    const endpoint = await admin(environment(), 'webhook', 'create', ...create)

    expect((await call(key, 'GET', '/products')).status).toBe(200)
    const { subject } = request
    const preview = await call(key, 'POST', '/fees/preview', { product_code: 'URAR', subject })
    expect(JSON.parse(preview.text)).toMatchObject({ covered: true, fee: expect.any(String) })

    const first = await call(key, 'POST', '/quotes', request)
    expect(first.status).toBe(201)
    quote = JSON.parse(first.text) as { id: string }
    const again = await call(key, 'POST', '/quotes', request)
    expect(again).toMatchObject({ status: 201, text: first.text })
    expect(again.headers.get('idempotent-replayed')).toBe('true')

    const { headers, body } = await arrived
    new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)
    expect(JSON.parse(body)).toEqual({
      type: 'quote.created',
      timestamp: expect.any(String),
      data: { id: quote.id, external_reference: 'LOS-1', action: 'created' },
    })
  })

  it('finds the quote in the office, without what must not be saved', async () => {
    expect(await admin(environment(), 'quote', 'show', quote.id)).toMatchObject({
      id: quote.id,
      status: 'open',
      notes: 'Gate code 1234.',
      client: { email: 'jane@example.com' },
      documents: [],
    })
  })

  it('sees what the office did', async () => {
    const fee = ['--fee', '495.00', '--turnaround-days', '5']
    await admin(environment(), 'quote', 'send', quote.id, ...fee)
    const read = await call(key, 'GET', '/quotes?external_reference=LOS-1')
    expect(JSON.parse(read.text)).toMatchObject({
      id: quote.id,
      status: 'sent',
      fee: '495.00',
      turnaround_days: 5,
    })
  })

  it('finds the same data after a stop and a start, and no second demo key', async () => {
    expect(await deployment.stop()).toBe(0)
    deployment = await startDeployment(environment())
    expect((await call(key, 'GET', `/quotes/${quote.id}`)).status).toBe(200)
    expect(deployment.output).not.toMatch(/svc_test_/)
  })

  it('finds the same data after a kill, too', async () => {
    await deployment.stop('SIGKILL')
    deployment = await startDeployment(environment())
    expect((await call(key, 'GET', `/quotes/${quote.id}`)).status).toBe(200)
  })
})

describe('a bad setting', () => {
  it('stops the start with one line', async () => {
    const started = startDeployment({ ...environment(), PORT: 'eighty' })
    await expect(started).rejects.toThrow(/exit 1 before ready:\nPORT is "eighty"; allowed: .*\n$/)
  })
})
