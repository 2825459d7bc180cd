// One whole run of the product with the log at its most talkative: what it must say of each
// request and delivery, and what it must never say. Traces go through from the caller to the
// receiver of a webhook, and to a collector.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { freshKey } from '../setup/api.ts'
import { boundary, multipart, pdf, stream } from '../setup/files.ts'
import { type Deployment, admin, startDeployment } from '../setup/process.ts'
import { type Receiver, createReceiver, status } from '../setup/receiver.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'

/** What partners trust the product with; each is asked for in the whole log. */
const secrets: Record<string, string> = {
  notes: 'Gate-code-SEED-4711',
  email: 'seed.client@secret.example',
  phone: '626-555-0199',
  client: 'Seedclient Quillfeather',
  borrower: 'Seedborrower Thistlewood',
  street: '99 Seedstreet Lane',
  organization: 'Seedbank of Nowhere',
  contact: 'Seedcontact Umberfield',
  lead: 'Seedlead Title',
  metadata: 'seed-metadata-value',
  document: 'SEED-DOCUMENT-BYTES',
  file: 'seed-file-name',
  received: 'seed-answer-of-a-receiver',
  reference: 'seed-external-reference',
}

let folder: string
let deployment: Deployment
let receiver: Receiver
let collector: Receiver
let tenant: string
let log: string

type Answer = { status: number; body: any; requestId: string }

async function call(method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> {
  const isForm = Buffer.isBuffer(body)
  const response = await fetch(`${deployment.api}/public/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${secrets['key']}`,
      ...freshKey(),
      ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? new Uint8Array(body) : JSON.stringify(body) }),
  } as RequestInit)
  return {
    status: response.status,
    body: await response.json(),
    requestId: response.headers.get('x-request-id') ?? '',
  }
}

const quote = () => ({
  product_code: 'URAR',
  external_reference: secrets['reference'],
  subject: { line1: secrets['street'], state: 'VA', county: 'Fairfax County' },
  client: { name: secrets['client'], email: secrets['email'], phone: secrets['phone'] },
  borrower: { name: secrets['borrower'] },
  notes: secrets['notes'],
  metadata: { note: secrets['metadata'] },
})

const organization = () => ({
  name: secrets['organization'],
  client_type: 'lender',
  notes: secrets['notes'],
  contacts: [
    {
      display_name: secrets['contact'],
      email: secrets['email'],
      phone: secrets['phone'],
      contact_type: 'billing',
    },
  ],
})

/** Everything that a day brings, what goes wrong included. */
async function aDay(): Promise<Answer> {
  const traceparent = `00-${traceId}-${parentId}-01`
  const created = await call('POST', '/quotes', quote(), { traceparent })
  await call('GET', `/quotes?external_reference=${secrets['reference']}`)
  await call('POST', '/organizations/batch', { items: [organization()] })
  await call('GET', `/organizations?q=${encodeURIComponent(secrets['organization'] ?? '')}`)
  await call('POST', '/leads', { title: secrets['lead'], notes: secrets['notes'], organization: organization() })
  const form = multipart([
    { fileName: `"${secrets['file']}.pdf"`, type: 'application/pdf', data: pdf({ objects: [stream(Buffer.from(secrets['document'] ?? ''))] }) },
  ])
  const type = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
  expect(await call('POST', `/quotes/${created.body.id}/documents`, form, type)).toMatchObject({ status: 201 })

  // Refused: by the schema, by the syntax, by a rule, by the credentials.
  await call('POST', '/quotes', { ...quote(), client: { name: secrets['client'], email: `${secrets['email']}@` } })
  await call('POST', '/quotes', { ...quote(), [secrets['metadata'] ?? '']: 1 })
  await call('POST', '/quotes', { ...quote(), product_code: secrets['metadata'] })
  await call('POST', `/quotes/${secrets['reference']}/documents`, form, type)
  await call('GET', `/${secrets['reference']}?email=${secrets['email']}`)
  await call('GET', '/me', undefined, { Authorization: `Bearer ${secrets['key']}x` })
  await fetch(`${deployment.internal}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secrets['analyst']}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: `{ quotes(filter: {county: {equalTo: "${secrets['borrower']}"}}) { totalCount } nothing }` }),
  })
  return created
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'appraisal-logs-'))
  receiver = await createReceiver()
  receiver.answer((request, response, count) =>
    status(count === 1 ? 500 : 204, {}, count === 1 ? (secrets['received'] ?? '') : '')(request, response, count),
  )
  collector = await createReceiver()
  const environment = {
    DATA_DIR: folder,
    LOG_LEVEL: 'trace',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=let%20me%20in',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  }
  deployment = await startDeployment(environment)
  const key = await admin(environment, 'key', 'create', '--tenant', 'demo', '--name', 'ci', '--scopes', 'all')
  const analyst = await admin(environment, 'analyst', 'create', '--name', 'dana', '--tenants', 'all')
  const endpoint = await admin(environment, 'webhook', 'create', '--tenant', 'demo', '--url', `${receiver.url}?secret=seed-url-token`, '--events', 'all')
  Object.assign(secrets, {
    key: key.key,
    analyst: analyst.token,
    webhook: endpoint.secret,
    url: 'seed-url-token',
    collector: 'let me in',
    authorization: 'Bearer ',
  })
  const created = await aDay()
  tenant = (await call('GET', '/me')).body.tenant_id
  await receiver.until((requests) => requests.some(({ body }) => body.includes(created.body.id)))
  await deployment.stop()
  log = deployment.log
})
afterAll(async () => {
  deployment.child.kill('SIGKILL')
  await Promise.all([receiver.close(), collector.close()])
  await rm(folder, { recursive: true, force: true })
})

const records = (): Record<string, any>[] =>
  log.split('\n').slice(0, -1).map((line) => JSON.parse(line) as Record<string, unknown>)

describe('the log', () => {
  it('is JSON, a record a line', () => {
    expect(records().length).toBeGreaterThan(15)
  })

  it('holds none of the secrets', () => {
    const found = Object.entries(secrets).filter(
      ([, text]) => log.includes(text) || log.includes(encodeURIComponent(text)),
    )
    expect(found).toEqual([])
  })

  it('says of a request who asked for what, how it ended and how long it took', () => {
    const asked = records().filter(({ msg, trace_id }) => msg === 'request' && trace_id === traceId)
    expect(asked).toEqual([
      {
        level: 30,
        time: expect.any(String),
        msg: 'request',
        request_id: expect.any(String),
        trace_id: traceId,
        method: 'POST',
        operation: 'create_quote',
        key_prefix: secrets['key']?.slice(0, 13),
        tenant,
        status: 201,
        is_complete: true,
        duration_ms: expect.any(Number),
        statement_ms: expect.any(Number),
      },
    ])
  })

  it('says of each request with the key whose it is, the refused ones included', () => {
    const asked = records().filter(
      ({ msg, key_prefix }) => msg === 'request' && key_prefix === secrets['key']?.slice(0, 13),
    )
    expect(asked.filter(({ status }) => status >= 400).length).toBeGreaterThanOrEqual(4)
    expect(asked.filter((record) => record['tenant'] !== tenant)).toEqual([])
  })

  it('says of a delivery which request caused it', () => {
    const delivered = records().filter(({ msg, trace_id }) => msg === 'delivery' && trace_id === traceId)
    expect(delivered.length).toBeGreaterThan(0)
    expect(delivered[0]).toMatchObject({
      tenant,
      operation: 'quote.created',
      event_id: expect.any(String),
      endpoint_id: expect.any(String),
      duration_ms: expect.any(Number),
    })
  })
})

describe('a trace', () => {
  it('goes from the caller through the outbox to the receiver', () => {
    const sent = receiver.requests.filter(({ body }) => body.includes('quote.created'))
    for (const { headers } of sent) expect(headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
    expect(sent.length).toBeGreaterThan(0)
    const spans = new Set(receiver.requests.map(({ headers }) => headers['traceparent']))
    expect(spans.size).toBe(receiver.requests.length)
  })

  it('reaches the collector: one span for the request, one for each delivery', () => {
    const spans = collector.requests.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
    const ours = spans.filter((span) => span.traceId === traceId)
    const [request] = ours.filter(({ name }) => name === 'create_quote')
    expect(request).toMatchObject({ kind: 2, parentSpanId: parentId, status: {} })
    expect(BigInt(request.endTimeUnixNano) >= BigInt(request.startTimeUnixNano)).toBe(true)
    const delivered = ours.filter(({ name }) => name === 'deliver quote.created')
    expect(delivered.map(({ kind, parentSpanId }) => ({ kind, parentSpanId }))).toContainEqual({ kind: 3, parentSpanId: request.spanId })
  })

  it('names the service to the collector, and nothing that is secret', () => {
    const [first] = collector.requests
    expect(first).toMatchObject({ path: '/v1/traces', headers: { 'x-collector-key': 'let me in', 'content-type': 'application/json' } })
    expect(JSON.parse(first?.body ?? '').resourceSpans[0].resource.attributes).toEqual([
      { key: 'service.name', value: { stringValue: 'appraisal-public-api' } },
      { key: 'deployment.environment', value: { stringValue: 'test' } },
    ])
    const all = collector.requests.map(({ body }) => body).join('\n')
    expect(Object.entries(secrets).filter(([, text]) => all.includes(text))).toEqual([])
  })
})
