// The contract's busiest operations on Express 5 and a `pg` pool, written by hand.
import express, { type NextFunction, type Request, type Response } from 'express'
import { feePreview } from '../../src/schemas/pricing.ts'
import * as organizations from '../../src/schemas/organizations.ts'
import { quoteCreate, quoteId } from '../../src/schemas/quotes.ts'
import { HttpError, countKey, digestOf, fingerprintOf, idempotencyKeyOf, log, parse, requestId, seconds } from './gates.ts'
import { listOrganizations, upsertBatch, upsertOrganization } from './organizations.ts'
import { announce } from './announce.ts'
import { createQuote, previewFee, readQuote } from './quotes.ts'
import { type Work, createPool, idempotently, inTransaction } from './transaction.ts'

const pool = createPool(process.env['API_DATABASE_URL'] ?? '')
const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.use((request: Request, response: Response, next: NextFunction) => {
  const started = performance.now()
  const id = requestId(request.headers)
  response.setHeader('X-Request-Id', id)
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.on('finish', () => {
    const duration = performance.now() - started
    const operation = response.locals['operation'] as string
    seconds.observe({ operation, status: response.statusCode }, duration / 1000)
    log.info({ request_id: id, method: request.method, operation, status: response.statusCode, duration_ms: duration }, 'request')
  })
  next()
})
app.use(express.json({ limit: '5mb' }))

function route(operation: string, scope: string, work: (request: Request) => Work) {
  return async (request: Request, response: Response): Promise<void> => {
    response.locals['operation'] = operation
    const digest = digestOf(request.headers)
    response.set(await countKey(digest))
    const { status, body } = await inTransaction(pool, { digest, scope }, work(request))
    response.status(status).json(body)
  }
}

const once = (request: Request, work: Work): Work =>
  idempotently(idempotencyKeyOf(request.headers), fingerprintOf(request.path, request.body), work)

const base = '/public/v1'
app.get(`${base}/quotes/:quote_id`, route('read_quote', 'quotes:read', ({ params }) =>
  readQuote(String(parse(quoteId, params)['quote_id']))))
app.post(`${base}/quotes`, route('create_quote', 'quotes:write', (request) =>
  once(request, createQuote(parse(quoteCreate, request.body)))))
app.post(`${base}/fees/preview`, route('preview_fee', 'fees:read', ({ body }) =>
  previewFee(parse(feePreview, body))))
app.post(`${base}/organizations`, route('upsert_organization', 'organizations:write', (request) =>
  once(request, upsertOrganization(parse(organizations.organizationInput, request.body)))))
app.post(`${base}/organizations/batch`, route('upsert_organization_batch', 'organizations:write', (request) =>
  once(request, upsertBatch(parse(organizations.organizationBatch, request.body)))))
app.get(`${base}/organizations`, route('list_organizations', 'organizations:read', ({ query }) =>
  listOrganizations(parse(organizations.organizationFilter, query))))

app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  const { status, code } = error instanceof HttpError ? error : { status: 500, code: 'internal_error' }
  if (status === 500) log.error({ error: String(error) }, 'failed')
  response.status(status).json({ code })
})

announce(app.listen(0, '127.0.0.1'))
