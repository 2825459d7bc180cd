// The public API's pipeline, readable as a list. Each step either answers or goes on.
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import type { Logger } from 'pino'
import packageJson from '../package.json' with { type: 'json' }
import { endpoints } from './api/index.ts'
import { toApiError } from './database/errors.ts'
import { docsHandlers } from './docs/index.ts'
import { trialOf } from './docs/trial.ts'
import { crossOrigin, preflight } from './http/cross_origin.ts'
import type { Endpoint } from './http/endpoint.ts'
import { ApiError, helpLink, sendError, sendJson } from './http/errors.ts'
import { requireNoQuery } from './http/input.ts'
import { basePath, openApiDocument } from './http/openapi.ts'
import { requestId, requestIdOf } from './http/request_id.ts'
import { requestLog } from './http/request_log.ts'
import { type Handler, type Service, runner } from './http/run.ts'
import { describeError } from './log.ts'

export function createApp(service: Service, log: Logger): Express {
  const app = express()
  // Test keys alone may come from pages of other origins: live ones belong on servers.
  const isForBrowsers = service.environment === 'test'
  const publish = (path: string, handlers: Handlers): void => {
    const all = isForBrowsers ? { ...handlers, options: preflight(methodsOf(handlers)) } : handlers
    mount(app, basePath + path, all)
  }
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('strict routing')
  app.enable('case sensitive routing')
  app.set('query parser', false)

  app.use(requestId)
  app.use(requestLog(log, service))
  app.use(answerHeaders)
  if (isForBrowsers) app.use(basePath, crossOrigin)
  publish('/health', { get: answerHealth })
  publish('/openapi.json', { get: answerOpenApi() })
  for (const [path, handlers] of byPath(endpoints, service)) publish(path, handlers)
  const trial = trialOf(service.environment, service.stagingBaseUrl)
  for (const [path, get] of docsHandlers(trial)) mount(app, path, { get })
  app.use(answerNotFound)
  app.use(answerError(log))
  return app
}

type Handlers = Record<string, RequestHandler>

// Data of one company for one caller: no cache keeps it, no browser guesses its type.
function answerHeaders(_request: Request, response: Response, next: () => void): void {
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  next()
}

function byPath(all: Endpoint[], service: Service): Map<string, Handlers> {
  const paths = new Map<string, Handlers>()
  for (const endpoint of all) {
    const handlers = paths.get(endpoint.path) ?? {}
    handlers[endpoint.method] = runner(endpoint, service)
    paths.set(endpoint.path, handlers)
  }
  return paths
}

// Express answers 404 where a path is known and the method isn't; callers need 405.
function mount(app: Express, path: string, handlers: Handlers): void {
  const route = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
  for (const [method, handler] of Object.entries(handlers)) {
    route[method as 'get' | 'post' | 'patch' | 'options'](handler)
  }
  const allowed = methodsOf(handlers)
  route.all(() => {
    throw new ApiError('method_not_allowed', `This address answers ${allowed}.`, {
      headers: { Allow: allowed },
    })
  })
}

const methodsOf = (handlers: Handlers): string =>
  Object.keys(handlers)
    .filter((method) => method !== 'options')
    .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    .join(', ')

async function answerHealth(request: Request, response: Response): Promise<void> {
  requireNoQuery(request)
  sendJson(response, JSON.stringify({ status: 'ok', version: packageJson.version }))
}

function answerOpenApi(): Handler {
  const document = JSON.stringify(openApiDocument())
  return async (request, response) => {
    requireNoQuery(request)
    sendJson(response, document)
  }
}

function answerNotFound(): never {
  throw new ApiError('not_found', 'There is nothing at this address.')
}

function answerError(log: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    const answer = isMalformedPath(error)
      ? new ApiError('not_found', 'There is nothing at this address.')
      : toApiError(error)
    const requestIdText = requestIdOf(response)
    if (answer.status >= 500) {
      log.error(
        { request_id: requestIdText, code: answer.code, error: describeError(answer.cause ?? answer) },
        'failed',
      )
    }
    if (response.headersSent) return next(error)
    response.setHeader('Link', helpLink(answer.code))
    sendError(response, answer, requestIdText)
  }
}

// A path whose percent-encoding can't be decoded is nobody's address.
const isMalformedPath = (error: unknown): boolean =>
  (error as { name?: string } | null)?.name === 'URIError'
