// One run of graphile-worker, with connections of its own. A run ends itself when it
// can't write down that a job is done, as happens when the database goes away. It may
// then wait for ever for itself (0.18.0 counts its open calls below zero when one fails
// and another succeeds), so its end has a time limit and takes the connections along.
// A fetch that fails ends the run, too: the answer that was lost may have locked jobs in
// its name, and when it was the run's first one, it would never fetch again (0.18.0 keeps
// the failed promise of its task list).
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger as JobLogger, type TaskList, parseCronItems, run } from 'graphile-worker'
import type { CronItem, WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Watch } from '../src/database/watch.ts'
import { openPool } from './pool.ts'

export type RunOptions = {
  url: string
  watch: Watch
  log: Logger
  taskList: TaskList
  cronItems: CronItem[]
}

export type Run = {
  /** In whose name jobs are locked. */
  poolId: string
  /** Resolves when no more jobs are taken, and none runs. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** Jobs at once, and in one fetch. They are short, and a fan-out takes others along. */
const concurrentJobs = 8
/** One to listen, one for the recurring jobs, others to fetch and to end jobs. */
const connections = 5
/** A job in the future is found this late at most; a new one is announced. */
const pollIntervalMs = 250
/** How long running jobs may take to end. */
const drainMs = 3000
/** The same kind of line is logged once in this time. */
const quietMs = 10_000

/** Takes jobs. Throws when the database doesn't answer. */
export async function startRun({ url, watch, log, taskList, cronItems }: RunOptions): Promise<Run> {
  const { pool, close } = openPool(url, connections, log, watch)
  const events = new EventEmitter() as WorkerEvents
  const ending = Promise.withResolvers<void>()
  let poolId = ''
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id
  })
  events.on('pool:gracefulShutdown', () => ending.resolve())

  const runner = await run({
    pgPool: lettingGoOnce(pool),
    taskList,
    parsedCronItems: parseCronItems(cronItems),
    noHandleSignals: true,
    events,
    logger: jobLogger(log, ending.resolve),
    preset: {
      worker: {
        concurrentJobs,
        pollInterval: pollIntervalMs,
        localQueue: { size: concurrentJobs },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })

  const finished = runner.promise.catch((error: unknown) => {
    log.warn({ err: error }, 'the job runner stopped')
  })
  const stop = (): void => void runner.stop().catch(() => {})
  const drained = new AbortController()
  const late = ending.promise
    .then(stop)
    .then(() => sleep(drainMs, undefined, { signal: drained.signal }))
    .catch(() => {})
  const ended = Promise.race([finished, late])
    .then(() => drained.abort())
    .then(stop)
    .then(close)

  return {
    poolId,
    ended,
    stop: () => {
      stop()
      return ended
    },
  }
}

// The listening connection is let go twice when it is lost while the run ends (0.18.0),
// and the second time would end the process: an error that nobody waits for.
function lettingGoOnce(pool: pg.Pool): pg.Pool {
  const connect = pool.connect.bind(pool)
  const connectOnce = (
    callback?: (error: Error | undefined, client: pg.PoolClient | undefined, done: Release) => void,
  ): unknown => {
    if (!callback) return connect()
    return connect((error, client, release) => {
      let isHeld = client !== undefined
      callback(error, client, (fault) => {
        if (isHeld) release(fault)
        isHeld = false
      })
    })
  }
  return Object.assign(pool, { connect: connectOnce })
}

type Release = (fault?: Error | boolean) => void

// A line for each job is too much; what goes wrong is not, but while the database is
// away it is the same four times a second.
function jobLogger(log: Logger, onFetchFailed: () => void): JobLogger {
  const toldAt = new Map<string, number>()
  return new JobLogger(() => (level, message, meta) => {
    // There is no event for it.
    if (message.startsWith('Error occurred fetching jobs')) onFetchFailed()
    const kind = message.slice(0, 30)
    const isNews = performance.now() - (toldAt.get(kind) ?? Number.NEGATIVE_INFINITY) > quietMs
    if (level !== 'error' || !isNews) return log.trace(message)
    toldAt.set(kind, performance.now())
    log.warn({ ...meta }, message)
  })
}
