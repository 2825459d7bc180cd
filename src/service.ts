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
import { guardCaller } from './database/guard.ts'
import { migrate } from './database/migrate.ts'
import { type Database, openDatabase } from './database/open.ts'
import { createCaller } from './database/pool.ts'
import { DatabaseRefusal, readSchemaState, requireUsable } from './database/schema_state.ts'
import { watchDatabase } from './database/watch.ts'
import { welcome } from './demo_text.ts'
import { openDocuments } from './documents/attach.ts'
import { createGraphql } from './graphql/index.ts'
import { createRateLimit } from './http/rate_limit.ts'
import { createUsage } from './http/usage.ts'
import { createInternalApp } from './internal.ts'
import { describeError } from './log.ts'
import { type Metrics, createMetrics } from './metrics.ts'
import { type Listener, listen } from './server.ts'
import { type Spans, createSpans } from './spans.ts'

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
  spans: Spans
  stopping: AbortSignal
  /** Whether this process does one part alone, beside others of its kind. */
  isPart: boolean
  /** The database was looked at and is the one that this code knows. */
  isPrepared: boolean
  /** Adds a step of the stop; the last one added goes first. */
  onStop(step: () => Promise<void>): void
  /** Adds what ends work; all of it ends side by side, before the steps. */
  onDrain(drain: () => Promise<void>): void
}

const retryMs = 1000
/** While it waits for its database, a process says so this often. */
const remindMs = 10_000

// A part alone gets the time that a deployment's rolling restart has; a terminal's user,
// who stops everything at once, waits for ten seconds at most, the database included.
const drainMsOf = (isPart: boolean): number => (isPart ? 20_000 : 6000)
/** For each step after that: what hangs then is a database that doesn't answer. */
const stepMs = 3000

export async function startService(
  config: Config,
  parts: Parts,
  log: Logger,
  { isJson, isPart }: { isJson: boolean; isPart: boolean },
): Promise<Service> {
  const steps: (() => Promise<void>)[] = []
  const drains: (() => Promise<void>)[] = []
  const stopping = new AbortController()
  // A step that fails or hangs must not keep the database from being let go.
  const take = (step: () => Promise<void>, limitMs: number): Promise<void> =>
    within(step, limitMs).catch((error: unknown) =>
      log.error({ error: describeError(error) }, 'a step of the stop failed'),
    )
  const stop = async (): Promise<void> => {
    stopping.abort()
    await Promise.all(drains.map((drain) => take(drain, drainMsOf(isPart) + stepMs)))
    const [first, ...others] = steps.splice(0)
    for (const step of others.reverse()) await take(step, stepMs)
    await first?.()
  }

  const database = await openDatabase(config)
  const run: Run = {
    config,
    database,
    log,
    metrics: createMetrics(),
    spans: createSpans(config, log),
    stopping: stopping.signal,
    isPart,
    isPrepared: false,
    onDrain: (drain) => drains.push(drain),
    onStop: (step) => steps.push(step),
  }
  run.onStop(database.release)
  run.onStop(run.spans.close)
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
  const watch = watchDatabase({ url: database.urls.api, log, applicationName: 'svc_api' })
  run.onStop(watch.close)
  const pool = createCaller(database.urls.api, { stream: watch.stream }, metrics.observeStatement)
  metrics.watchDepths(pool.depths)
  run.onStop(pool.close)
  const caller = guardCaller(pool, watch, () => run.isPrepared)
  const usage = createUsage(caller, log)
  run.onStop(usage.close)
  const documents = await openDocuments(config, database.urls.api, watch.onDown)
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
    spans: run.spans,
  }
  const app = createApp(service, log)
  const internalApp = createInternalApp({
    isReady: async () => run.isPrepared && watch.isUp() && !run.stopping.aborted,
    takesDocuments: documents.isReady,
    graphql,
    metrics,
  })
  const internal = await listen(internalApp, '127.0.0.1', config.INTERNAL_PORT)
  run.onStop(() => internal.close(1000))
  const api = await listen(app, config.HOST, config.PORT, {
    maxConnections: config.MAX_CONNECTIONS,
    hasDocs: true,
  })
  run.onDrain(() => drainServer(run, api))
  return {
    urls: { api: api.url, graphql: `${internal.url}/graphql`, docs: `${api.url}/docs` },
    startGraphql: graphql.start,
  }
}

// A balancer asks for readiness now and then: until it has heard the answer it sends
// requests, which are served as ever, but each as the last of its connection.
async function drainServer({ config, isPart }: Run, api: Listener): Promise<void> {
  const delayMs = isPart ? config.SHUTDOWN_DELAY_SECONDS * 1000 : 0
  api.partFromCallers()
  await sleep(delayMs)
  await api.close(Math.max(drainMsOf(isPart) - delayMs, stepMs))
}

// What needs a database that answers. Until it does the API says 503, so a database
// that comes up after us is no reason to give up.
async function finishStart(
  run: Run,
  parts: Parts,
  server: RunningServer | undefined,
  isJson: boolean,
): Promise<void> {
  const demo = await untilReachable(run, () => prepareDatabase(run.database, parts))
  run.isPrepared = !run.stopping.aborted
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
async function prepareDatabase(database: Database, parts: Parts): Promise<DemoAccess | null> {
  const { urls } = database
  if (database.hasOwner) await migrate(urls.owner, database.credentials)
  if (parts.server) requireUsable(await readSchemaState(urls.api))
  if (parts.worker) requireUsable(await readSchemaState(urls.worker))
  return database.isEmbedded ? seedDemo(database.urls) : null
}

async function startWorkerOf(run: Run): Promise<void> {
  const { config, database, log, metrics } = run
  const { credentials, urls } = database
  // A delivery takes 15 s at most.
  const drainMs = run.isPart ? 16_000 : 3000
  const worker = await startWorker({
    url: urls.worker,
    config,
    credentials,
    log,
    drainMs,
    spans: run.spans,
  })
  run.onDrain(worker.stop)
  metrics.watchWorker(worker.metrics)
}

async function untilReachable<T>(run: Run, work: () => Promise<T>): Promise<T | undefined> {
  let remindAt = Number.NEGATIVE_INFINITY
  while (!run.stopping.aborted) {
    try {
      return await work()
    } catch (error) {
      if (isRefusedLogin(error)) throw refusedLogin(error as Error)
      if (!isUnavailable(error)) throw error
      if (performance.now() > remindAt) {
        run.log.warn({ reason: (error as Error).message }, 'waiting for the database')
        remindAt = performance.now() + remindMs
      }
      await sleep(retryMs, undefined, { signal: run.stopping }).catch(() => {})
    }
  }
  return undefined
}

// Waiting doesn't mend a wrong password.
const isRefusedLogin = (error: unknown): boolean =>
  (error as { code?: string }).code?.startsWith('28') ?? false

const refusedLogin = ({ message }: Error): DatabaseRefusal =>
  new DatabaseRefusal(
    `The database refuses the login (${message}): use the DATA_DIR that it was migrated with, ` +
      'or run `npm run migrate`.',
  )

async function within(step: () => Promise<void>, limitMs: number): Promise<void> {
  const done = new AbortController()
  const late = sleep(limitMs, undefined, { signal: done.signal }).then(() => {
    throw new Error(`not done after ${limitMs} ms`)
  })
  late.catch(() => {})
  await Promise.race([step(), late]).finally(() => done.abort())
}
