// Lets pages of other origins call this deployment: the trial page of a production
// deployment calls its staging one. No cookie is ever looked at, so any origin may ask
// and nobody gains what he doesn't have a key for. Production never does this.
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { headers } from './openapi_answers.ts'

const readable = [...Object.keys(headers), 'Allow'].join(', ')

const sendable = 'Authorization, X-SVC-Api-Key, Content-Type, Idempotency-Key, X-Request-Id'

/** How long a browser may remember a preflight: two hours, the most that Chromium does. */
const rememberedSeconds = '7200'

/** Headers of every answer to a page of some origin. */
export function crossOrigin(request: Request, response: Response, next: NextFunction): void {
  if (request.headers.origin !== undefined) {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Access-Control-Expose-Headers', readable)
  }
  next()
}

/** Answers a browser that asks first. Any other OPTIONS is a method that isn't there. */
export const preflight =
  (methods: string): RequestHandler =>
  (request, response, next) => {
    const { origin, 'access-control-request-method': method } = request.headers
    if (origin === undefined || method === undefined) return next()
    response.setHeader('Access-Control-Allow-Methods', methods)
    response.setHeader('Access-Control-Allow-Headers', sendable)
    response.setHeader('Access-Control-Max-Age', rememberedSeconds)
    response.statusCode = 204
    response.end()
  }
