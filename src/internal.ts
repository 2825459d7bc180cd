// The internal listener: for the operator and the analysts, never for partners.
import express, { type Express } from 'express'
import { sendJson } from './http/errors.ts'

export type Health = {
  /** Whether this process should get requests: started, not stopping, database there. */
  isReady(): Promise<boolean>
}

export function createInternalApp(health: Health): Express {
  const app = express()
  app.disable('x-powered-by')
  app.get('/livez', (_request, response) => sendJson(response, '{"status":"ok"}'))
  app.get('/readyz', async (_request, response) => {
    const isReady = await health.isReady()
    response.statusCode = isReady ? 200 : 503
    sendJson(response, JSON.stringify({ status: isReady ? 'ok' : 'unavailable' }))
  })
  return app
}
