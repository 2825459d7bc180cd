// The analysts' endpoint, for the internal listener: /graphql and its page at `/`.
// The schema is made from the database, so it is made once that answers; until then, and
// while the database is away, requests get 503.
import express, { type Express, type Request, type Response, type NextFunction } from 'express'
import pg from 'pg'
import type { Logger } from 'pino'
import { unavailable } from '../http/errors.ts'
import { createSlots, slotsOfThisMachine } from './slots.ts'

export type GraphqlEndpoint = {
  handler(request: Request, response: Response, next: NextFunction): Promise<void>
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
}): GraphqlEndpoint {
  const { log } = options
  const concurrency = options.concurrency ?? slotsOfThisMachine()
  const pool = new pg.Pool({
    connectionString: options.url,
    // A query's fields are read side by side, and tokens are checked meanwhile.
    max: concurrency + 2,
    connectionTimeoutMillis: 10_000,
    application_name: 'svc_analyst',
  })
  pool.on('error', () => {})
  const slots = createSlots(concurrency)

  let making: Promise<Served> | undefined
  let served: Served | undefined
  const start = async (): Promise<void> => {
    making ??= serve(pool, slots, log)
    try {
      served = await making
    } catch (error) {
      making = undefined
      throw error
    }
  }

  return {
    start,
    handler: async (request, response, next) => {
      try {
        if (!served) await start()
      } catch (error) {
        throw unavailable(error)
      }
      served?.app(request, response, next)
    },
    close: async () => {
      await (await making?.catch(() => undefined))?.release()
      await pool.end()
    },
  }
}

type Served = { app: Express; release(): Promise<void> }

// Loaded here and not above: PostGraphile is large, and reads its mode when it loads.
async function serve(
  pool: pg.Pool,
  slots: ReturnType<typeof createSlots>,
  log: Logger,
): Promise<Served> {
  process.env['GRAPHILE_ENV'] ??= 'production'
  const { postgraphile } = await import('postgraphile')
  const { grafserv } = await import('postgraphile/grafserv/express/v4')
  const { ideHeaders } = await import('./ide.ts')
  const { createGuardPlugin } = await import('./guard.ts')
  const { createLimitsPlugin } = await import('./limits.ts')
  const { createPreset } = await import('./preset.ts')

  const plugins = [createGuardPlugin({ pool, slots, log }), createLimitsPlugin(log)]
  const instance = postgraphile(createPreset(pool, plugins))
  await instance.getSchema()
  const server = instance.createServ(grafserv)
  await server.ready()
  const app = express()
  app.disable('x-powered-by')
  app.use(ideHeaders)
  await server.addTo(app, null, false)
  return {
    app,
    release: async () => {
      await server.release()
      await instance.release()
    },
  }
}
