// Tells the log and the collector of each attempt, under the trace of the request that
// caused the event. Ids, a status and a duration; never what was sent or answered.
import type { Logger } from 'pino'
import type { Spans } from '../../src/spans.ts'
import type { TraceContext } from '../../src/trace.ts'
import type { AttemptRecord, Claim } from '../outbox.ts'

export type Report = (claim: Claim, made: AttemptRecord, trace: TraceContext) => void

export const createReport =
  (log: Logger, spans?: Spans): Report =>
  (claim, made, trace) => {
    log.info(
      {
        trace_id: trace.traceId,
        tenant: claim.tenant_id,
        operation: claim.event_type,
        event_id: claim.event_id,
        delivery_id: claim.id,
        endpoint_id: claim.endpoint_id,
        status: made.response_status,
        error_class: made.error_class,
        duration_ms: made.duration_ms,
      },
      'delivery',
    )
    spans?.record({
      name: `deliver ${claim.event_type}`,
      kind: 'client',
      context: trace,
      endedAt: Date.now(),
      durationMs: made.duration_ms,
      isError: made.error_class !== null,
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': made.response_status ?? undefined,
        'error.type': made.error_class ?? undefined,
        'svc.tenant': claim.tenant_id,
        'messaging.message.id': claim.event_id,
      },
    })
  }
