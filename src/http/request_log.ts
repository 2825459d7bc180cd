// One line per request: who (key prefix), what (operation), how it ended and how long it
// took. Never a key, a body, a note, a path's parameters or anybody's name.
import type { NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics.ts'
import { requestIdOf } from './request_id.ts'

/** What the runner knows of a request, for its log line. */
export type Trace = {
  operation: string
  keyPrefix: string
  /** How long its statement took, waiting included. */
  statementMs?: number
}

/** `slowMs`: a statement that takes longer is told by itself. */
export function requestLog(log: Logger, metrics: Metrics, slowMs: number) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const start = process.hrtime.bigint()
    response.once('close', () => {
      const trace = response.locals['trace'] as Trace | undefined
      const seconds = Number(process.hrtime.bigint() - start) / 1e9
      metrics.observeRequest(trace?.operation, response.statusCode, seconds)
      if (trace?.statementMs !== undefined && trace.statementMs > slowMs) {
        log.warn(
          {
            request_id: requestIdOf(response),
            operation: trace.operation,
            key_prefix: trace.keyPrefix,
            statement_ms: trace.statementMs,
          },
          'slow statement',
        )
      }
      log.info(
        {
          request_id: requestIdOf(response),
          method: request.method,
          operation: trace?.operation,
          key_prefix: trace?.keyPrefix,
          status: response.statusCode,
          is_complete: response.writableFinished,
          duration_ms: seconds * 1000,
        },
        'request',
      )
    })
    next()
  }
}
