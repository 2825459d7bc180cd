// What a request to /graphql passes before and after PostGraphile sees it: method, token,
// a turn, and on the way out CSV. Refusals before the query have the same envelope as
// those of the public API; faults of the query itself are GraphQL's.
import type pg from 'pg'
import type { Logger } from 'pino'
import { type RequestDigest, type Result, normalizeRequest } from 'postgraphile/grafserv'
import {
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  parse,
} from 'postgraphile/graphql'
import { toApiError } from '../database/errors.ts'
import { ApiError, errorBody } from '../http/errors.ts'
import { requestIdOf } from '../http/request_id.ts'
import { type Analyst, authenticate } from './analyst.ts'
import { tableOf, toCsv } from './csv.ts'
import { withRequestId } from './errors.ts'
import { requireReasonableSize } from './size.ts'
import type { Slots } from './slots.ts'

declare global {
  namespace Grafast {
    interface RequestContext {
      analyst?: Analyst
      requestId?: string
    }
  }
}

export const graphqlPath = '/graphql'

type Guarded = { gate: pg.Pool; slots: Slots; queryMs: number; log: Logger }

export function createGuardPlugin(guarded: Guarded): GraphileConfig.Plugin {
  return {
    name: 'GuardPlugin',
    grafserv: {
      middleware: {
        processRequest: async (next, event) =>
          event.requestDigest.path === graphqlPath
            ? answer(guarded, event.requestDigest, async () => next())
            : next(),
      },
    },
  }
}

async function answer(
  { gate, slots, queryMs, log }: Guarded,
  requestDigest: RequestDigest,
  execute: () => Promise<Result | null>,
): Promise<Result | null> {
  const { req, res } = requestDigest.requestContext.expressv4 ?? {}
  if (!req || !res) return null
  const requestId = requestIdOf(res)
  try {
    const analyst = await authenticate(gate, req, queryMs)
    requirePost(requestDigest.method)
    Object.assign(requestDigest.requestContext, { analyst, requestId })
    const isCsv = wantsCsv(requestDigest.headers['accept'], req.url)
    if (isCsv) requestDigest.headers['accept'] = 'application/json'
    const body = await bodyOf(requestDigest)
    requireReasonableSize(body?.query, body?.variables)
    const result = await slots.run(execute)
    return isCsv && body ? asCsv(body, result) : result
  } catch (error) {
    if (error instanceof GraphQLError) {
      return queryErrors([withRequestId(error, requestId).toJSON()])
    }
    const refused = toApiError(error)
    if (refused.cause) log.error({ request_id: requestId, err: refused.cause }, 'failed')
    else if (refused.status === 503) log.warn({ request_id: requestId }, 'too many queries at once')
    return envelope(refused, requestId)
  }
}

function requirePost(method: string): void {
  if (method === 'POST') return
  throw new ApiError('method_not_allowed', 'Queries are sent with POST.', {
    headers: { Allow: 'POST' },
  })
}

const wantsCsv = (accept: string | undefined, url: string | undefined): boolean =>
  /(^|,)\s*text\/csv\b/i.test(accept ?? '') ||
  new URLSearchParams(url?.split('?')[1]).get('format') === 'csv'

const envelope = (error: ApiError, requestId: string): Result =>
  json(error.status, errorBody(error, requestId), error.headers)

const queryErrors = (errors: readonly GraphQLFormattedError[]): Result =>
  json(400, JSON.stringify({ errors }), {})

function json(statusCode: number, text: string, headers: Record<string, string>): Result {
  return bufferOf(statusCode, text, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
  })
}

function bufferOf(statusCode: number, text: string, headers: Record<string, string>): Result {
  const buffer = Buffer.from(text)
  return {
    type: 'buffer',
    statusCode,
    headers: { ...headers, 'content-length': String(buffer.length) },
    buffer,
  }
}

type Body = {
  query: string
  operationName?: string | null
  variables?: Record<string, unknown> | null
}

// A body that can't be read is for grafserv to refuse.
async function bodyOf(requestDigest: RequestDigest): Promise<Body | undefined> {
  try {
    const body = await normalizeRequest(requestDigest).getBody()
    if (body.type === 'json') return body.json as unknown as Body
    const text = body.type === 'text' ? body.text : body.buffer.toString()
    const isBare = requestDigest.headers['content-type']?.startsWith('application/graphql')
    return isBare ? { query: text } : (JSON.parse(text) as Body)
  } catch {
    return undefined
  }
}

// A query that failed, or isn't one list, is answered in JSON: a spreadsheet has no place
// for an error.
function asCsv(body: Body, result: Result | null): Result | null {
  if (result?.type !== 'buffer' || result.statusCode !== 200) return result
  const answered = JSON.parse(result.buffer.toString()) as FormattedExecutionResult
  if (answered.errors) return queryErrors(answered.errors)
  const table = tableOf(parse(body.query), body.operationName, body.variables ?? {}, answered.data)
  return bufferOf(200, toCsv(table), {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${table.name}.csv"`,
  })
}
