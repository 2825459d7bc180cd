// The outbox's functions as the worker calls them: one statement each, prepared once.
// Everything that a delivery may become is decided there, not here.
import type pg from 'pg'
import type { ErrorClass } from './delivery/post.ts'

/** A delivery that this worker may send, with all that sending it needs. */
export type Claim = {
  id: string
  endpoint_id: string
  /** Attempts of the schedule so far; replays don't count. */
  attempts: number
  is_replay: boolean
  event_id: string
  event_type: string
  event_time: Date
  /** JSON text. */
  event_data: string
  url: string
  secret: Buffer
  previous_secret: Buffer | null
}

/** What became of an attempt, as outbox.record_attempts takes it. */
export type AttemptRecord = {
  delivery_id: string
  started_at: string
  duration_ms: number
  response_status: number | null
  response_body: string | null
  /** Null: delivered. */
  error_class: ErrorClass | null
  error: string | null
  /** Until the next attempt; null when there is none. */
  retry_ms: number | null
  is_replay: boolean
  is_test: boolean
}

export type QueueMetrics = {
  deliveries_due: number
  deliveries_scheduled: number
  /** Transactions whose events aren't fanned out yet. */
  batches_waiting: number
  oldest_undelivered_seconds: number
  endpoints_enabled: number
  endpoints_failing: number
  endpoints_disabled: number
}

export type Want = { endpointId: string; limit: number }

export type Outbox = ReturnType<typeof createOutbox>

/** `clock` replaces the database's clock, for tests of what takes days. */
export function createOutbox(pool: pg.Pool, workerId: string, clock?: () => Date) {
  const now = (): string | null => clock?.().toISOString() ?? null
  const call = async <Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row[]> => (await pool.query<Row>({ name, text, values })).rows

  return {
    workerId,
    /** Adds the deliveries of batches; gives the endpoints that have something due. */
    fanOut: async (batchIds: string[]): Promise<string[]> => {
      const rows = await call<{ endpoint_id: string }>(
        'fan_out',
        'select endpoint_id from outbox.fan_out($1, coalesce($2, now())) as endpoint_id',
        [batchIds, now()],
      )
      return rows.map((row) => row.endpoint_id)
    },
    claim: (wants: Want[]): Promise<Claim[]> =>
      call<Claim>(
        'claim',
        'select * from outbox.claim_deliveries($1, $2, $3, coalesce($4, now()))',
        [workerId, wants.map((want) => want.endpointId), wants.map((want) => want.limit), now()],
      ),
    record: async (attempts: AttemptRecord[]): Promise<void> => {
      await call('record', 'select outbox.record_attempts($1, $2, coalesce($3, now()))', [
        workerId,
        JSON.stringify(attempts),
        now(),
      ])
    },
    /** Gives claims back unsent. */
    release: async (deliveryIds: string[]): Promise<void> => {
      await call('release', 'select outbox.release_claims($1, $2)', [workerId, deliveryIds])
    },
    beat: async (workerIds: string[]): Promise<void> => {
      await call('beat', 'select outbox.beat($1)', [workerIds])
    },
    sweep: async (): Promise<void> => {
      await call('sweep', 'select outbox.sweep()', [])
    },
    missedBatches: async (days: number, limit: number): Promise<string[]> => {
      const rows = await call<{ batch_id: string }>(
        'missed_batches',
        'select batch_id from outbox.missed_batches($1, $2) as batch_id',
        [days, limit],
      )
      return rows.map((row) => row.batch_id)
    },
    /** Removes events older than some days; gives how many. */
    purgeEvents: async (days: number, limit: number): Promise<number> => {
      const [row] = await call<{ removed: number }>(
        'purge_events',
        'select outbox.purge_events($1, $2) as removed',
        [days, limit],
      )
      return row?.removed ?? 0
    },
    /** Removes remembered answers older than some hours; gives how many. */
    purgeIdempotencyKeys: async (hours: number, limit: number): Promise<number> => {
      const [row] = await call<{ removed: number }>(
        'purge_idempotency_keys',
        'select outbox.purge_idempotency_keys($1, $2) as removed',
        [hours, limit],
      )
      return row?.removed ?? 0
    },
    queueMetrics: async (): Promise<QueueMetrics> => {
      const [row] = await call<QueueMetrics>(
        'queue_metrics',
        'select * from outbox.queue_metrics()',
        [],
      )
      return row as QueueMetrics
    },
    retire: async (workerIds: string[]): Promise<void> => {
      await call('retire', 'select outbox.retire_workers($1)', [workerIds])
    },
  }
}
