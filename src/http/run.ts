// Runs an endpoint: gates, one statement, the reply to the socket. A request that
// fails a gate after the credentials pays a second statement, to be told first that its
// key isn't valid: a caller without one learns nothing about schemas or records.
import type { Request, Response } from 'express'
import { type KeyEnvironment, keyDigest, keyPrefix } from '../api_key.ts'
import type { Caller, Statement } from '../database/pool.ts'
import type { Documents } from '../documents/attach.ts'
import { presentedKey } from './credentials.ts'
import { drainAfter } from './drain.ts'
import { type Endpoint, isTraced, statementOf } from './endpoint.ts'
import type { Metrics } from '../metrics.ts'
import { ApiError, sendJson } from './errors.ts'
import { readInput } from './input.ts'
import type { RateLimit } from './rate_limit.ts'
import { type Trace, contextOf } from './request_log.ts'
import type { Spans } from '../spans.ts'
import { traceparentOf } from '../trace.ts'
import type { Usage } from './usage.ts'

const enter: Statement = {
  name: 'enter',
  text: 'select 200 as status, \'\' as body, false as is_replay, auth.enter($1, $2)',
  isQuick: true,
}

export type Service = {
  caller: Caller
  documents: Documents
  environment: KeyEnvironment
  /** Where the trial page of a production deployment calls. */
  stagingBaseUrl?: string | undefined
  rateLimit: RateLimit
  usage: Usage
  metrics: Metrics
  /** Statements that take longer are logged. */
  slowStatementMs: number
  /** Where OpenTelemetry collects. */
  spans?: Spans
}

// Whose key it is, for the log alone: a key never changes hands, and asking each time costs
// a read a tenth. Only keys that were found good get here, so it stays small.
const tenants = new Map<string, string>()

export type Handler = (request: Request, response: Response) => Promise<void>

/** The handler of an endpoint. */
export function runner(endpoint: Endpoint, service: Service): Handler {
  const statement = statementOf(endpoint)
  const firstStatement = statementOf(endpoint, { tellsTenant: true })
  const { operation } = endpoint

  const handler = countingRefusals(service, async (request, response) => {
    const key = presentedKey(request, service.environment)
    const digest = keyDigest(key)
    response.locals['trace'] = { operation, keyPrefix: keyPrefix(key) } satisfies Trace
    try {
      await answer(digest, request, response)
      service.usage.count(digest, operation, false)
    } catch (error) {
      if (!isUnauthorized(error)) service.usage.count(digest, operation, true)
      throw error
    }
  })
  return endpoint.upload ? answeringBeforeTheEnd(handler) : handler

  async function answer(digest: Buffer, request: Request, response: Response): Promise<void> {
    const entry = [digest, endpoint.scope]
    await service.rateLimit.countKey(digest, response).catch(afterEntering([digest, null]))
    const input = await readInput(endpoint, request, response).catch(afterEntering(entry))

    const trace = response.locals['trace'] as Trace
    const started = performance.now()
    const keyId = digest.toString('latin1')
    trace.tenant = tenants.get(keyId)
    const called = await service.caller
      .call(trace.tenant ? statement : firstStatement, [
        ...entry,
        ...(isTraced(endpoint) ? [traceparentOf(contextOf(response))] : []),
        ...(endpoint.isIdempotent ? [input.idempotencyKey, input.fingerprint] : []),
        ...endpoint.call.arguments(input),
      ])
      .finally(() => {
        trace.statementMs = performance.now() - started
      })
    if (called.tenant_id) tenants.set(keyId, (trace.tenant = called.tenant_id))
    const reply = endpoint.upload
      ? await service.documents.attach({
          request,
          response,
          entry,
          quoteId: input.path['quote_id'],
          fields: endpoint.upload.fields,
          admission: called.body,
        })
      : called
    response.statusCode = reply.status
    if (reply.is_replay) response.setHeader('Idempotent-Replayed', 'true')
    sendJson(response, reply.body)
  }

  // Refuses as a gate did, unless the credentials, which come first, refuse.
  function afterEntering(entry: unknown[]): (error: unknown) => Promise<never> {
    return async (error) => {
      await service.caller.call(enter, entry)
      throw error
    }
  }
}

// An upload is refused while its body is still on the way, and may be gone by then.
function answeringBeforeTheEnd(handler: Handler): Handler {
  return async (request, response) => {
    try {
      await handler(request, response)
    } catch (error) {
      if (response.closed) return
      drainAfter(request, response)
      throw error
    }
  }
}

// A 401 counts against the address that it went to.
function countingRefusals({ rateLimit }: Service, handler: Handler): Handler {
  return async (request, response) => {
    const address = request.socket.remoteAddress ?? ''
    await rateLimit.requirePatience(address, response)
    try {
      await handler(request, response)
    } catch (error) {
      if (isUnauthorized(error)) await rateLimit.countRefusal(address)
      throw error
    }
  }
}

const isUnauthorized = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401
