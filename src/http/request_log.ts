// One line and one span per request: who (key prefix, tenant), what (operation), how it
// ended and how long it took. Never a key, a body, a note, a path's parameters or anybody's
// name.
import type { NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics.ts'
import type { Spans } from '../spans.ts'
import { type TraceContext, nextSpan } from '../trace.ts'
import { requestIdOf } from './request_id.ts'

/** What the runner knows of a request, for its log line. */
export type Trace = {
  operation: string
  keyPrefix: string
  /** Id of the key's company; known once the key was found good. */
  tenant?: string | undefined
  /** How long its statement took, waiting included. */
  statementMs?: number
}

type Ended = {
  requestId: string
  method: string
  status: number
  isComplete: boolean
  durationMs: number
  context: TraceContext
  trace: Trace | undefined
}

type Listeners = {
  metrics: Metrics
  /** A statement that takes longer is told by itself. */
  slowStatementMs: number
  spans?: Spans
}

export function requestLog(log: Logger, { metrics, slowStatementMs, spans }: Listeners) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now()
    const context = nextSpan(request.headers['traceparent'] as string | undefined)
    response.locals['context'] = context
    response.once('close', () => {
      const trace = response.locals['trace'] as Trace | undefined
      const durationMs = performance.now() - start
      const ended = {
        requestId: requestIdOf(response),
        method: request.method,
        status: response.statusCode,
        isComplete: response.writableFinished,
        durationMs,
        context,
        trace,
      }
      metrics.observeRequest(trace?.operation, response.statusCode, durationMs / 1000)
      if ((trace?.statementMs ?? 0) > slowStatementMs) log.warn(recordOf(ended), 'slow statement')
      log.info(recordOf(ended), 'request')
      spans?.record(spanOf(ended))
    })
    next()
  }
}

/** The request's place in its trace. */
export const contextOf = (response: Response): TraceContext =>
  response.locals['context'] as TraceContext

function recordOf({ requestId, method, status, isComplete, durationMs, context, trace }: Ended): object {
  return {
    request_id: requestId,
    trace_id: context.traceId,
    method,
    operation: trace?.operation,
    key_prefix: trace?.keyPrefix,
    tenant: trace?.tenant,
    status,
    is_complete: isComplete,
    duration_ms: durationMs,
    statement_ms: trace?.statementMs,
  }
}

function spanOf({ requestId, method, status, durationMs, context, trace }: Ended) {
  return {
    name: trace?.operation ?? method,
    kind: 'server' as const,
    context,
    endedAt: Date.now(),
    durationMs,
    isError: status >= 500,
    attributes: {
      'http.request.method': method,
      'http.response.status_code': status,
      'svc.request_id': requestId,
      'svc.key_prefix': trace?.keyPrefix,
      'svc.tenant': trace?.tenant,
    },
  }
}
