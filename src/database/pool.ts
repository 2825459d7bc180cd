// Calls of the database's functions: one named prepared statement, one round trip. Quick
// reads share a few connections in pipelines; what may take long or wait for a lock has a
// connection of a pool for itself.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { unavailable } from '../http/errors.ts'
import { isUnavailable, isWorthRepeating, toApiError } from './errors.ts'
import { createPipeline } from './pipeline.ts'

/** What every function of schema `api` returns. */
export type Reply = { status: number; body: string; is_replay: boolean; tenant_id?: string }

export type Statement = {
  name: string
  text: string
  /** What it is called in a connection, where there are several of one name. */
  preparedAs?: string
  /** A read of a few rows that waits for no lock: it may share a connection. */
  isQuick?: boolean
}

export type Caller = {
  /** Sends one statement. Throws ApiError, never a driver's error. */
  call(statement: Statement, values: unknown[]): Promise<Reply>
  /** Statements on their way or waiting, by where they are. */
  depths(): Record<'pipeline' | 'pool' | 'waiting', number>
  close(): Promise<void>
}

// A call that deadlocked did nothing, so it may be sent again; three times is enough,
// as each try finds the others further on.
const tries = 4

/** Whoever comes on top would wait in vain, and hears so at once. */
const mostWaiting = 500

/** Up to 20, 40, 80 ms: calls that met in one moment don't meet again in the next. */
const pauseMs = (attempt: number): number => Math.random() * 10 * 2 ** attempt

/** Told of each statement: its name, and seconds in the queue and in the database. */
export type Watch = (name: string, queued: number, database: number) => void

/**
 * A pooler in transaction mode hands each statement to another connection, where one that
 * was prepared by name may not be: `?pgbouncer=true` in the URL sends them without names.
 */
const isBehindPooler = (url: string): boolean =>
  URL.canParse(url) && new URL(url).searchParams.get('pgbouncer') === 'true'

export function createCaller(
  url: string,
  options: pg.PoolConfig = {},
  watch: Watch = () => {},
): Caller {
  const common = {
    connectionString: url,
    connectionTimeoutMillis: 4000,
    keepAlive: true,
    application_name: 'svc_api',
  }
  const pool = new pg.Pool({ max: 10, idleTimeoutMillis: 60_000, ...common, ...options })
  pool.on('error', () => {})
  // Also while a statement is under way, which hears of it by itself.
  pool.on('connect', (client) => client.on('error', () => {}))
  const { stream } = options
  const pipeline = createPipeline({ ...common, ...(stream ? { stream } : {}) })

  /** Seconds from the call to the statement's turn, and from there to now. */
  const note = (name: string, calledAt: number, turnAt: number): void =>
    watch(name, (turnAt - calledAt) / 1000, (performance.now() - turnAt) / 1000)

  const hasOwnConnection = !isBehindPooler(url)
  const queryOf = ({ name, text, preparedAs }: Statement, values: unknown[]): pg.QueryConfig =>
    hasOwnConnection ? { name: preparedAs ?? name, text, values } : { text, values }

  async function queryInPipeline(statement: Statement, values: unknown[]): Promise<Reply[]> {
    const calledAt = performance.now()
    const { rows, turnAt } = await pipeline.query<Reply>(queryOf(statement, values))
    note(statement.name, calledAt, turnAt)
    return rows
  }

  // The pool's own `query` throws the connection away with every error, a refusal by a
  // business rule included.
  async function queryAlone(statement: Statement, values: unknown[]): Promise<Reply[]> {
    const calledAt = performance.now()
    const client = await pool.connect()
    const turnAt = performance.now()
    let broken: Error | undefined
    try {
      return (await client.query<Reply>(queryOf(statement, values))).rows
    } catch (error) {
      if (isUnavailable(error)) broken = error as Error
      throw error
    } finally {
      note(statement.name, calledAt, turnAt)
      client.release(broken)
    }
  }

  return {
    call: async (statement, values) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const { isQuick } = statement
          if (!isQuick && pool.waitingCount >= mostWaiting) throw unavailable()
          const [reply] = await (isQuick ? queryInPipeline : queryAlone)(statement, values)
          if (!reply) throw unavailable()
          return reply
        } catch (error) {
          if (attempt === tries || !isWorthRepeating(error)) throw toApiError(error)
          await sleep(pauseMs(attempt))
        }
      }
    },
    depths: () => ({
      pipeline: pipeline.depth(),
      pool: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      await Promise.all([pool.end(), pipeline.close()])
    },
  }
}
