// The internal listener: for the operator and the analysts, never for partners.
import express, { type ErrorRequestHandler, type Express } from 'express'
import { toApiError } from './database/errors.ts'
import type { GraphqlEndpoint } from './graphql/index.ts'
import { ApiError, sendError, sendJson } from './http/errors.ts'
import { requestId, requestIdOf } from './http/request_id.ts'

export type Health = {
  /** Whether this process should get requests: started, not stopping, database there. */
  isReady(): Promise<boolean>
}

export function createInternalApp(health: Health, graphql: GraphqlEndpoint): Express {
  const app = express()
  app.disable('x-powered-by')
  app.use(requestId)
  app.get('/livez', (_request, response) => sendJson(response, '{"status":"ok"}'))
  app.get('/readyz', async (_request, response) => {
    const isReady = await health.isReady()
    response.statusCode = isReady ? 200 : 503
    sendJson(response, JSON.stringify({ status: isReady ? 'ok' : 'unavailable' }))
  })
  app.use(graphql.handler)
  app.use(() => {
    throw new ApiError('not_found', 'There is nothing at this address.')
  })
  app.use(answerError)
  return app
}

const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error)
  sendError(response, toApiError(error), requestIdOf(response))
}
