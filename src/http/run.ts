// Runs an endpoint: gates, one statement, the reply to the socket. A request that
// fails a gate after the credentials pays a second statement, to be told first that its
// key isn't valid: a caller without one learns nothing about schemas or records.
import type { Request, Response } from 'express'
import { type KeyEnvironment, keyDigest, keyPrefix } from '../api_key.ts'
import type { Caller, Reply, Statement } from '../database/pool.ts'
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
  text:
    'select 200 as status, \'\' as body, false as is_replay, auth.tenant_id() as tenant_id ' +
    'from auth.enter($1, $2)',
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
// a read a tenth. Only keys that were found good get here, so it stays small. A key that is
// revoked later is still known by it.
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
    const trace: Trace = { operation, keyPrefix: keyPrefix(key), tenant: tenants.get(idOf(digest)) }
    response.locals['trace'] = trace
    try {
      await answer(digest, trace, request, response)
      service.usage.count(digest, operation, false)
    } catch (error) {
      if (!isUnauthorized(error)) service.usage.count(digest, operation, true)
      if (isOfGoodKey(error) && !trace.tenant) await enterAlone(digest, null, trace).catch(() => {})
      throw error
    }
  })
  return endpoint.upload ? answeringBeforeTheEnd(handler) : handler

  async function answer(
    digest: Buffer,
    trace: Trace,
    request: Request,
    response: Response,
  ): Promise<void> {
    const entry = [digest, endpoint.scope]
    await service.rateLimit.countKey(digest, response).catch(afterEntering(digest, null, trace))
    const input = await readInput(endpoint, request, response).catch(
      afterEntering(digest, endpoint.scope, trace),
    )

    const started = performance.now()
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
    noteTenant(digest, trace, called)
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
  function afterEntering(
    digest: Buffer,
    scope: Endpoint['scope'],
    trace: Trace,
  ): (error: unknown) => Promise<never> {
    return async (error) => {
      await enterAlone(digest, scope, trace)
      throw error
    }
  }

  async function enterAlone(digest: Buffer, scope: Endpoint['scope'], trace: Trace): Promise<void> {
    noteTenant(digest, trace, await service.caller.call(enter, [digest, scope]))
  }
}

const idOf = (digest: Buffer): string => digest.toString('latin1')

function noteTenant(digest: Buffer, trace: Trace, { tenant_id: tenant }: Reply): void {
  if (!tenant) return
  trace.tenant = tenant
  tenants.set(idOf(digest), tenant)
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

/** Whether what refused comes after the credentials: they were good. */
const isOfGoodKey = (error: unknown): boolean =>
  error instanceof ApiError && error.status !== 401 && error.status < 500

const isUnauthorized = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401
