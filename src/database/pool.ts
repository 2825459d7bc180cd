// Calls of the database's functions: one named prepared statement, one round trip.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { unavailable } from '../http/errors.ts'
import { isWorthRepeating, toApiError } from './errors.ts'

/** What every function of schema `api` returns. */
export type Reply = { status: number; body: string; is_replay: boolean }

export type Statement = { name: string; text: string }

export type Caller = {
  /** Sends one statement. Throws ApiError, never a driver's error. */
  call(statement: Statement, values: unknown[]): Promise<Reply>
  /** Whether the database answers within a second. */
  isReachable(): Promise<boolean>
  close(): Promise<void>
}

// A call that deadlocked did nothing, so it may be sent again; three times is enough,
// as each try finds the others further on.
const tries = 4

/** Up to 20, 40, 80 ms: calls that met in one moment don't meet again in the next. */
const pauseMs = (attempt: number): number => Math.random() * 10 * 2 ** attempt

export function createCaller(url: string, options: pg.PoolConfig = {}): Caller {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 4000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'svc_api',
    ...options,
  })
  pool.on('error', () => {})

  return {
    call: async (statement, values) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const result = await pool.query<Reply>({ ...statement, values })
          const [reply] = result.rows
          if (!reply) throw unavailable()
          return reply
        } catch (error) {
          if (attempt === tries || !isWorthRepeating(error)) throw toApiError(error)
          await sleep(pauseMs(attempt))
        }
      }
    },
    isReachable: async () => {
      const answer = pool.query('select').then(() => true, () => false)
      return Promise.race([answer, sleep(1000, false, { ref: false })])
    },
    close: () => pool.end(),
  }
}
