// The internal listener: for the operator and the analysts, never for partners.
import express, { type ErrorRequestHandler, type Express } from 'express'
import { toApiError } from './database/errors.ts'
import type { GraphqlEndpoint } from './graphql/index.ts'
import { ApiError, sendError, sendJson } from './http/errors.ts'
import { requestId, requestIdOf } from './http/request_id.ts'
import type { Metrics } from './metrics.ts'

export type Internals = {
  /** Whether this process should get requests: started, not stopping, database there. */
  isReady(): Promise<boolean>
  /** Whether every scanner and the store answer. */
  takesDocuments(): Promise<boolean>
  graphql: GraphqlEndpoint
  metrics: Metrics
}

export function createInternalApp({ isReady, takesDocuments, graphql, metrics }: Internals): Express {
  const app = express()
  app.disable('x-powered-by')
  app.use(requestId)
  app.get('/livez', (_request, response) => sendJson(response, '{"status":"ok"}'))
  app.get('/readyz', async (_request, response) => {
    // Without a scanner everything but uploads goes on, so that is told, not failed for. A
    // balancer hears at once that it should go elsewhere.
    const serves = await isReady()
    const takes = serves && (await takesDocuments())
    response.statusCode = serves ? 200 : 503
    sendJson(response, JSON.stringify({ status: word(serves), documents: word(takes) }))
  })
  app.get('/metrics', async (_request, response) => {
    response.setHeader('Content-Type', metrics.contentType)
    response.end(await metrics.text())
  })
  app.use(graphql.handler)
  app.use(() => {
    throw new ApiError('not_found', 'There is nothing at this address.')
  })
  app.use(answerError)
  return app
}

const word = (isGood: boolean): string => (isGood ? 'ok' : 'unavailable')

const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error)
  sendError(response, toApiError(error), requestIdOf(response))
}
