// The analysts' endpoint, for the internal listener: /graphql and its page at `/`.
// The schema is made from the database, so `start` is called when that is migrated; until
// then, and while the database is away, requests get 503.
import express, { type Express, type Request, type Response, type NextFunction } from 'express'
import pg from 'pg'
import type { Logger } from 'pino'
import { unavailable } from '../http/errors.ts'
import { usualQueryMs } from './analyst.ts'
import { type Slots, createSlots, slotsOfThisMachine } from './slots.ts'

export type GraphqlEndpoint = {
  handler(request: Request, response: Response, next: NextFunction): void
  /** Makes the schema. Throws when the database doesn't answer; may be called again. */
  start(): Promise<void>
  close(): Promise<void>
}

export function createGraphql(options: {
  /** Connection string of svc_analyst, on the primary or on a replica. */
  url: string
  log: Logger
  /** Queries at once; by default what the machine can spare. */
  concurrency?: number
  /** Time of a query. */
  queryMs?: number
}): GraphqlEndpoint {
  const { log, queryMs = usualQueryMs } = options
  const concurrency = options.concurrency ?? slotsOfThisMachine()
  const connect = (max: number): pg.Pool => createPool(options.url, max, queryMs)
  // Tokens are checked beside the queries, not behind them.
  const gate = connect(1)
  const pool = connect(concurrency)
  const slots = createSlots(concurrency)
  let served: Served | undefined

  return {
    start: async () => {
      served ??= await serve({ gate, pool, slots, queryMs, log })
    },
    handler: (request, response, next) => {
      if (!served) throw unavailable()
      served.app(request, response, next)
    },
    close: async () => {
      await served?.release()
      await Promise.all([gate.end(), pool.end()])
    },
  }
}

function createPool(url: string, max: number, timeoutMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: timeoutMs,
    application_name: 'svc_analyst',
  })
  // A connection that breaks fails its query, and is replaced when the next needs one.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

type Served = { app: Express; release(): Promise<void> }

// Loaded here and not above: PostGraphile is large, and reads its mode when it loads.
async function serve(parts: {
  gate: pg.Pool
  pool: pg.Pool
  slots: Slots
  queryMs: number
  log: Logger
}): Promise<Served> {
  process.env['GRAPHILE_ENV'] ??= 'production'
  const { postgraphile } = await import('postgraphile')
  const { grafserv } = await import('postgraphile/grafserv/express/v4')
  const { ideHeaders } = await import('./ide.ts')
  const { createGuardPlugin } = await import('./guard.ts')
  const { createLimitsPlugin } = await import('./limits.ts')
  const { createPreset } = await import('./preset.ts')

  const plugins = [createGuardPlugin(parts), createLimitsPlugin(parts.log)]
  const instance = postgraphile(createPreset(parts.pool, parts.queryMs, plugins))
  await instance.getSchema()
  const server = instance.createServ(grafserv)
  await server.ready()
  const app = express()
  app.disable('x-powered-by')
  app.use(ideHeaders)
  await server.addTo(app, null, false)
  return { app, release: async () => instance.release() }
}
