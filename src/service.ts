// Starts the parts of a deployment in the order in which they need each other, and
// stops them the other way round.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Worker, startWorker } from '../worker/main.ts'
import { environmentOf } from './api_key.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { isUnavailable } from './database/errors.ts'
import { migrate } from './database/migrate.ts'
import { type Database, openDatabase } from './database/open.ts'
import { createCaller } from './database/pool.ts'
import { seedDemo } from './admin/seed.ts'
import { type GraphqlEndpoint, createGraphql } from './graphql/index.ts'
import { createRateLimit } from './http/rate_limit.ts'
import { createUsage } from './http/usage.ts'
import { createInternalApp } from './internal.ts'
import { listen } from './server.ts'

export type Parts = { server: boolean; worker: boolean }

export type Service = {
  /** Settles when everything answers. */
  ready: Promise<void>
  stop(): Promise<void>
}

const retryMs = 1000

export async function startService(
  config: Config,
  parts: Parts,
  log: Logger,
  { isJson }: { isJson: boolean },
): Promise<Service> {
  const stops: (() => Promise<void>)[] = []
  const stopping = new AbortController()
  const stop = async (): Promise<void> => {
    stopping.abort()
    for (const step of stops.reverse()) await step()
  }

  const database = await openDatabase(config)
  stops.push(database.release)
  try {
    const graphql = parts.server ? createGraphql({ url: database.urls.analyst, log }) : undefined
    if (graphql) stops.push(graphql.close)
    const urls = graphql
      ? await startServer(config, database, graphql, log, stops, stopping.signal)
      : {}
    const ready = finishStart(config, parts, database, log, stops, stopping.signal).then(async (demo) => {
      if (graphql) await untilReachable(log, stopping.signal, graphql.start)
      if (stopping.signal.aborted) return
      if (demo) console.log(demoText(demo, urls, isJson))
      console.log(`ready ${JSON.stringify(urls)}`)
    })
    return { ready, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startServer(
  config: Config,
  database: Database,
  graphql: GraphqlEndpoint,
  log: Logger,
  stops: (() => Promise<void>)[],
  stopping: AbortSignal,
): Promise<Record<string, string>> {
  const caller = createCaller(database.urls.api)
  const usage = createUsage(caller, log)
  stops.push(caller.close, usage.close)
  const app = createApp(
    {
      caller,
      environment: environmentOf[config.SVC_ENVIRONMENT],
      rateLimit: createRateLimit(config.RATE_LIMIT_PER_MINUTE),
      usage,
    },
    log,
  )
  const api = await listen(app, config.HOST, config.PORT)
  const internalApp = createInternalApp(
    { isReady: async () => !stopping.aborted && (await caller.isReachable()) },
    graphql,
  )
  const internal = await listen(internalApp, '127.0.0.1', config.INTERNAL_PORT)
  stops.push(internal.close, api.close)
  return { api: api.url, graphql: `${internal.url}/graphql`, docs: `${api.url}/docs` }
}

type Demo = Awaited<ReturnType<typeof seedDemo>>

// What needs a database that answers. Until it does the API says 503, so a database
// that comes up after us is no reason to give up.
async function finishStart(
  config: Config,
  parts: Parts,
  database: Database,
  log: Logger,
  stops: (() => Promise<void>)[],
  stopping: AbortSignal,
): Promise<Demo | null> {
  let demo: Demo | null = null
  await untilReachable(log, stopping, async () => {
    if (database.hasOwner) await migrate(database.urls.owner, database.credentials)
    if (database.isEmbedded) demo = await seedDemo(database.urls)
  })
  if (parts.worker && !stopping.aborted) {
    const worker = await untilReachable<Worker>(log, stopping, () =>
      startWorker({ url: database.urls.worker, config, credentials: database.credentials, log }),
    )
    if (worker) stops.push(worker.stop)
  }
  return demo
}

async function untilReachable<T>(
  log: Logger,
  stopping: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> {
  while (!stopping.aborted) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || isRefusedLogin(error)) throw error
      log.warn({ reason: (error as Error).message }, 'the database does not answer yet; waiting')
      await sleep(retryMs, undefined, { signal: stopping }).catch(() => {})
    }
  }
  return undefined
}

// Waiting doesn't mend a wrong password.
const isRefusedLogin = (error: unknown): boolean =>
  (error as { code?: string }).code?.startsWith('28') ?? false

function demoText(demo: Demo, urls: Record<string, string>, isJson: boolean): string {
  if (isJson) return JSON.stringify({ demo })
  const api = `${urls['api'] ?? 'http://127.0.0.1:3000'}/public/v1`
  return `
A demo tenant is set up. Its test key and analyst token are shown this once:

  API key        ${demo?.key}
  Analyst token  ${demo?.analystToken}

Try it:

  curl ${api}/products -H 'Authorization: Bearer ${demo?.key}'
  curl ${api}/fees/preview -H 'Authorization: Bearer ${demo?.key}' -H 'Content-Type: application/json' \\
    -d '{"product_code":"URAR","subject":{"line1":"12 Main St","state":"VA","county":"Fairfax"}}'
  curl ${api}/quotes -H 'Authorization: Bearer ${demo?.key}' -H 'Content-Type: application/json' -H 'Idempotency-Key: first' \\
    -d '{"product_code":"URAR","subject":{"line1":"12 Main St","state":"VA","county":"Fairfax"},"client":{"name":"Jane Doe","email":"jane@example.com"}}'
`
}
