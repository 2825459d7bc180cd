// graphile-worker's runner, started again whenever it gives up. It stops itself when it
// can't write down that a job is done, as happens when the database goes away; its jobs
// are then let go and taken anew.
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger as JobLogger, type Runner, type TaskList, parseCronItems, run } from 'graphile-worker'
import type { CronItem, WorkerEvents } from 'graphile-worker'
import { EventEmitter } from 'node:events'
import type pg from 'pg'
import type { Logger } from 'pino'

export type Supervised = {
  /** Resolves when jobs are taken for the first time. */
  isReady: Promise<void>
  /** Whose name the jobs of the running pool are locked in. */
  poolIds(): string[]
  stop(): Promise<void>
}

/** Jobs at once, and in one fetch. They are short, and a fan-out takes others along. */
const concurrentJobs = 8
/** A job in the future is found this late at most; a new one is announced. */
const pollIntervalMs = 250
const restartMs = 1000
/** The same kind of line is logged once in this time. */
const quietMs = 10_000

export type RunnerOptions = {
  pool: pg.Pool
  log: Logger
  taskList: TaskList
  cronItems: CronItem[]
  /** Done before jobs are taken. */
  prepare: () => Promise<void>
}

export function superviseRunner(options: RunnerOptions): Supervised {
  let isStopping = false
  let current: { runner: Runner; poolId: string } | null = null
  const ready = Promise.withResolvers<void>()

  const supervise = async (): Promise<void> => {
    while (!isStopping) {
      try {
        await options.prepare()
        current = await start(options)
        ready.resolve()
        if (isStopping) await current.runner.stop()
        await current.runner.promise
      } catch (error) {
        options.log.warn({ err: error }, 'the job runner stopped; it starts again')
      }
      current = null
      if (!isStopping) await sleep(restartMs)
    }
  }
  const supervision = supervise()

  return {
    isReady: ready.promise,
    poolIds: () => (current ? [current.poolId] : []),
    stop: async () => {
      isStopping = true
      await current?.runner.stop().catch(() => {})
      await supervision
    },
  }
}

async function start(options: RunnerOptions): Promise<{ runner: Runner; poolId: string }> {
  const events = new EventEmitter() as WorkerEvents
  let poolId = ''
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id
  })
  const runner = await run({
    pgPool: options.pool,
    taskList: options.taskList,
    parsedCronItems: parseCronItems(options.cronItems),
    noHandleSignals: true,
    events,
    logger: jobLogger(options.log),
    preset: {
      worker: {
        concurrentJobs,
        pollInterval: pollIntervalMs,
        localQueue: { size: concurrentJobs },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  })
  return { runner, poolId }
}

// A line for each job is too much; what goes wrong is not, but while the database is
// away it is the same four times a second.
function jobLogger(log: Logger): JobLogger {
  const toldAt = new Map<string, number>()
  return new JobLogger(() => (level, message, meta) => {
    const kind = message.slice(0, 30)
    const isNews = Date.now() - (toldAt.get(kind) ?? 0) > quietMs
    if (level !== 'error' || !isNews) return log.trace(message)
    toldAt.set(kind, Date.now())
    log.warn({ ...meta }, message)
  })
}
