// The outbox's functions beside the way of an event: heartbeats, what was lost, what is
// past its time, and what there is to see.
import type pg from 'pg'

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

export type Upkeep = ReturnType<typeof createUpkeep>

export function createUpkeep(pool: pg.Pool) {
  const call = async <Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> => (await pool.query<Row>(text, values)).rows
  const count = async (text: string, values: unknown[]): Promise<number> =>
    (await call<{ count: number }>(text, values))[0]?.count ?? 0

  return {
    /** Says that workers are alive. */
    beat: async (workerIds: string[]): Promise<void> => {
      await call('select outbox.beat($1)', [workerIds])
    },
    /** Retires the dead and wakes what they left. */
    sweep: async (): Promise<void> => {
      await call('select outbox.sweep()')
    },
    /** Lets go of all that workers hold. */
    retire: async (workerIds: string[]): Promise<void> => {
      await call('select outbox.retire_workers($1)', [workerIds])
    },
    /** Frees what a worker has claimed without knowing; gives how many. */
    freeLostClaims: (workerId: string, held: string[]): Promise<number> =>
      count('select outbox.free_lost_claims($1, $2) as count', [workerId, held]),
    /** Batches of the last days that were never fanned out. */
    missedBatches: async (days: number, limit: number): Promise<string[]> => {
      const rows = await call<{ batch_id: string }>(
        'select batch_id from outbox.missed_batches($1, $2) as batch_id',
        [days, limit],
      )
      return rows.map((row) => row.batch_id)
    },
    /** Removes events older than some days; gives how many. */
    purgeEvents: (days: number, limit: number): Promise<number> =>
      count('select outbox.purge_events($1, $2) as count', [days, limit]),
    /** Removes remembered answers older than some hours; gives how many. */
    purgeIdempotencyKeys: (hours: number, limit: number): Promise<number> =>
      count('select outbox.purge_idempotency_keys($1, $2) as count', [hours, limit]),
    /** Of the keys of objects, those that no document has. */
    orphanedDocuments: async (keys: string[]): Promise<string[]> => {
      const rows = await call<{ key: string }>(
        'select key from app.orphaned_document_keys($1) as key',
        [keys],
      )
      return rows.map(({ key }) => key)
    },
    queueMetrics: async (): Promise<QueueMetrics> => {
      const [row] = await call<QueueMetrics>('select * from outbox.queue_metrics()')
      return row as QueueMetrics
    },
  }
}
