// Starts the parts of a deployment in the order in which they need each other, and
// stops them the other way round.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { startWorker } from '../worker/main.ts'
import { type DemoAccess, seedDemo } from './admin/seed.ts'
import { environmentOf } from './api_key.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { isUnavailable } from './database/errors.ts'
import { migrate } from './database/migrate.ts'
import { type Database, openDatabase } from './database/open.ts'
import { createCaller } from './database/pool.ts'
import { welcome } from './demo_text.ts'
import { openDocuments } from './documents/attach.ts'
import { createGraphql } from './graphql/index.ts'
import { createRateLimit } from './http/rate_limit.ts'
import { createUsage } from './http/usage.ts'
import { createInternalApp } from './internal.ts'
import { describeError } from './log.ts'
import { type Metrics, createMetrics } from './metrics.ts'
import { listen } from './server.ts'

export type Parts = { server: boolean; worker: boolean }

export type Service = {
  /** Settles when everything answers. */
  ready: Promise<void>
  stop(): Promise<void>
}

/** What the parts of one process share. */
type Run = {
  config: Config
  database: Database
  log: Logger
  metrics: Metrics
  stopping: AbortSignal
  /** Adds a step of the stop; the last one added goes first. */
  onStop(step: () => Promise<void>): void
}

const retryMs = 1000

export async function startService(
  config: Config,
  parts: Parts,
  log: Logger,
  { isJson }: { isJson: boolean },
): Promise<Service> {
  const steps: (() => Promise<void>)[] = []
  const stopping = new AbortController()
  // A step that fails must not keep the database from being let go.
  const stop = async (): Promise<void> => {
    stopping.abort()
    for (const step of steps.splice(0).reverse()) {
      await step().catch((error: unknown) =>
        log.error({ error: describeError(error) }, 'a step of the stop failed'),
      )
    }
  }

  const database = await openDatabase(config)
  const run: Run = {
    config,
    database,
    log,
    metrics: createMetrics(),
    stopping: stopping.signal,
    onStop: (step) => steps.push(step),
  }
  run.onStop(database.release)
  try {
    const server = parts.server ? await startServer(run) : undefined
    return { ready: finishStart(run, parts, server, isJson), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type RunningServer = { urls: Record<string, string>; startGraphql: () => Promise<void> }

async function startServer(run: Run): Promise<RunningServer> {
  const { config, database, log, metrics } = run
  const graphql = createGraphql({ url: database.urls.analyst, log })
  run.onStop(graphql.close)
  const caller = createCaller(database.urls.api, {}, metrics.observeStatement)
  metrics.watchDepths(caller.depths)
  run.onStop(caller.close)
  const usage = createUsage(caller, log)
  run.onStop(usage.close)
  const documents = await openDocuments(config, database.urls.api)
  run.onStop(documents.close)

  const environment = environmentOf[config.SVC_ENVIRONMENT]
  const rateLimit = createRateLimit(config.RATE_LIMIT_PER_MINUTE)
  const stagingBaseUrl = config.STAGING_BASE_URL
  const slowStatementMs = config.SLOW_STATEMENT_MS
  const service = {
    caller,
    documents,
    environment,
    stagingBaseUrl,
    rateLimit,
    usage,
    metrics,
    slowStatementMs,
  }
  const app = createApp(service, log)
  const internalApp = createInternalApp({
    isReady: async () => !run.stopping.aborted && (await caller.isReachable()),
    takesDocuments: documents.isReady,
    graphql,
    metrics,
  })
  const internal = await listen(internalApp, '127.0.0.1', config.INTERNAL_PORT)
  run.onStop(internal.close)
  const api = await listen(app, config.HOST, config.PORT)
  run.onStop(api.close)
  return {
    urls: { api: api.url, graphql: `${internal.url}/graphql`, docs: `${api.url}/docs` },
    startGraphql: graphql.start,
  }
}

// What needs a database that answers. Until it does the API says 503, so a database
// that comes up after us is no reason to give up.
async function finishStart(
  run: Run,
  parts: Parts,
  server: RunningServer | undefined,
  isJson: boolean,
): Promise<void> {
  const demo = await untilReachable(run, () => prepareDatabase(run.database))
  if (parts.worker) await untilReachable(run, () => startWorkerOf(run))
  if (server) await untilReachable(run, server.startGraphql)
  if (run.stopping.aborted) return
  if (demo) {
    const text = welcome(demo, server?.urls ?? {}, run.config.SVC_ENVIRONMENT)
    console.log(isJson ? JSON.stringify({ demo }) : text)
  }
  console.log(`ready ${JSON.stringify(server?.urls ?? {})}`)
}

/** Today's schema, and in an embedded database the demo. Gives its keys when it is new. */
async function prepareDatabase(database: Database): Promise<DemoAccess | null> {
  if (database.hasOwner) await migrate(database.urls.owner, database.credentials)
  return database.isEmbedded ? seedDemo(database.urls) : null
}

async function startWorkerOf(run: Run): Promise<void> {
  const { config, database, log, metrics } = run
  const { credentials, urls } = database
  const worker = await startWorker({ url: urls.worker, config, credentials, log })
  run.onStop(worker.stop)
  metrics.watchWorker(worker.metrics)
}

async function untilReachable<T>(run: Run, work: () => Promise<T>): Promise<T | undefined> {
  while (!run.stopping.aborted) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || isRefusedLogin(error)) throw error
      run.log.warn({ reason: (error as Error).message }, 'the database does not answer yet; waiting')
      await sleep(retryMs, undefined, { signal: run.stopping }).catch(() => {})
    }
  }
  return undefined
}

// Waiting doesn't mend a wrong password.
const isRefusedLogin = (error: unknown): boolean =>
  (error as { code?: string }).code?.startsWith('28') ?? false
