// The same operations on Fastify: the same queries and gates, its own routing, parsing,
// serialisation and log.
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { feePreview } from '../../src/schemas/pricing.ts'
import * as organizations from '../../src/schemas/organizations.ts'
import { quoteCreate, quoteId } from '../../src/schemas/quotes.ts'
import { HttpError, countKey, digestOf, fingerprintOf, idempotencyKeyOf, log, parse, requestId, seconds } from './gates.ts'
import { listOrganizations, upsertBatch, upsertOrganization } from './organizations.ts'
import { createQuote, previewFee, readQuote } from './quotes.ts'
import { type Work, createPool, idempotently, inTransaction } from './transaction.ts'

const pool = createPool(process.env['API_DATABASE_URL'] ?? '')
const app = fastify({ bodyLimit: 5 * 1024 * 1024, genReqId: ({ headers }) => requestId(headers) })

app.addHook('onRequest', (request, reply, done) => {
  reply.header('X-Request-Id', request.id)
  reply.header('Cache-Control', 'no-store')
  reply.header('X-Content-Type-Options', 'nosniff')
  done()
})
app.addHook('onResponse', (request, reply, done) => {
  const { operation } = request.routeOptions.config as { operation?: string }
  const duration = reply.elapsedTime
  seconds.observe({ operation: operation ?? 'none', status: reply.statusCode }, duration / 1000)
  log.info({ request_id: request.id, method: request.method, operation, status: reply.statusCode, duration_ms: duration }, 'request')
  done()
})

const text = { type: ['string', 'null'] }
/** Known beforehand, so that the fast serialiser can be compiled. */
const quoteSchema = {
  type: 'object',
  properties: {
    id: text, status: text, external_reference: text, product_code: text, fee: text,
    turnaround_days: { type: ['integer', 'null'] }, created_at: text, source: text,
  },
}
const previewSchema = {
  type: 'object',
  properties: {
    product_code: text, fee: text, currency: text, turnaround_days: { type: ['integer', 'null'] },
    covered: { type: 'boolean' }, fee_basis: text, notes: text,
  },
}

type Route = {
  method: 'get' | 'post'
  path: string
  operation: string
  scope: string
  answers?: object
  work: (request: FastifyRequest) => Work
}

const once = (request: FastifyRequest, work: Work): Work =>
  idempotently(idempotencyKeyOf(request.headers), fingerprintOf(request.url, request.body), work)

const routes: Route[] = [
  { method: 'get', path: '/quotes/:quote_id', operation: 'read_quote', scope: 'quotes:read', answers: quoteSchema,
    work: ({ params }) => readQuote(String(parse(quoteId, params)['quote_id'])) },
  { method: 'post', path: '/quotes', operation: 'create_quote', scope: 'quotes:write', answers: quoteSchema,
    work: (request) => once(request, createQuote(parse(quoteCreate, request.body))) },
  { method: 'post', path: '/fees/preview', operation: 'preview_fee', scope: 'fees:read', answers: previewSchema,
    work: ({ body }) => previewFee(parse(feePreview, body)) },
  { method: 'post', path: '/organizations', operation: 'upsert_organization', scope: 'organizations:write',
    work: (request) => once(request, upsertOrganization(parse(organizations.organizationInput, request.body))) },
  { method: 'post', path: '/organizations/batch', operation: 'upsert_organization_batch', scope: 'organizations:write',
    work: (request) => once(request, upsertBatch(parse(organizations.organizationBatch, request.body))) },
  { method: 'get', path: '/organizations', operation: 'list_organizations', scope: 'organizations:read',
    work: ({ query }) => listOrganizations(parse(organizations.organizationFilter, query)) },
]

for (const { method, path, operation, scope, answers, work } of routes) {
  const schema = answers ? { response: { '2xx': answers } } : {}
  app[method](`/public/v1${path}`, { config: { operation }, schema }, async (request: FastifyRequest, reply: FastifyReply) => {
    const digest = digestOf(request.headers)
    reply.headers(await countKey(digest))
    const { status, body } = await inTransaction(pool, { digest, scope }, work(request))
    return reply.code(status).send(body)
  })
}

app.setErrorHandler((error: unknown, _request: FastifyRequest, reply: FastifyReply) => {
  const { status, code } = error instanceof HttpError ? error : { status: 500, code: 'internal_error' }
  if (status === 500) log.error({ error: String(error) }, 'failed')
  return reply.code(status).send({ code })
})

console.log(`ready ${JSON.stringify({ api: await app.listen({ port: 0, host: '127.0.0.1' }) })}`)
