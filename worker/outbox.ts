// The outbox's functions on the way of an event, one prepared statement each. What a
// delivery may become is decided there, not here.
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
  /** ISO 8601, UTC. */
  event_time: string
  /** JSON text. */
  event_data: string
  url: string
  secret: Buffer
  previous_secret: Buffer | null
  tenant_id: string
  /** Of the request that made the event; null when none did. */
  traceparent: string | null
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

export type Disabled = { endpoint_id: string; reason: string }

export type Want = { endpointId: string; limit: number }

/** What a worker can take on now. */
export type Room = {
  /** Batches beyond those of its jobs. */
  batches: number
  /** Deliveries of an endpoint, unless its lane says otherwise. */
  perEndpoint: number
  /** Deliveries by endpoint. */
  lanes: Record<string, number>
}

export const noRoom: Room = { batches: 0, perEndpoint: 0, lanes: {} }

export type FannedOut = {
  claims: Claim[]
  /** Endpoints that have something due beside the claims. */
  others: string[]
}

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
    /** Adds the deliveries of batches, and claims those that there is room for. */
    fanOut: async (batchIds: string[], room: Room = noRoom): Promise<FannedOut> => {
      const rows = await call<Claim>(
        'fan_out',
        'select * from outbox.fan_out($1, $2, $3, $4, $5, coalesce($6, now()))',
        [workerId, batchIds, room.batches, room.perEndpoint, room.lanes, now()],
      )
      const [claims, others] = [rows.filter((row) => row.id), rows.filter((row) => !row.id)]
      return { claims, others: others.map((row) => row.endpoint_id) }
    },
    /** Claims what endpoints have due. */
    claim: (wants: Want[]): Promise<Claim[]> =>
      call<Claim>(
        'claim',
        'select * from outbox.claim_deliveries($1, $2, $3, coalesce($4, now()))',
        [workerId, wants.map((want) => want.endpointId), wants.map((want) => want.limit), now()],
      ),
    /** Writes attempts down; gives the endpoints that were disabled by it. */
    record: (attempts: AttemptRecord[]): Promise<Disabled[]> =>
      call<Disabled>(
        'record',
        'select * from outbox.record_attempts($1, $2, coalesce($3, now()))',
        [workerId, JSON.stringify(attempts), now()],
      ),
    /** Gives claims back unsent. */
    release: async (deliveryIds: string[]): Promise<void> => {
      await call('release', 'select outbox.release_claims($1, $2)', [workerId, deliveryIds])
    },
  }
}
