// The worker: turns committed events into deliveries and sends them. It runs inside the
// server's process or in one of its own, as many as there are, and outlives a database
// that goes away. `startWorker` is the whole of it; src/main.ts calls it.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../src/config.ts'
import type { Credentials } from '../src/database/credentials.ts'
import { createAddressGuard, parseRanges } from '../src/webhooks/address_guard.ts'
import { watchDatabase } from '../src/database/watch.ts'
import type { Spans } from '../src/spans.ts'
import { nextSpan, traceparentOf } from '../src/trace.ts'
import type { Resolve } from '../src/webhooks/resolve.ts'
import { sealingKey } from '../src/webhooks/secret.ts'
import { attempt } from './delivery/attempt.ts'
import { createConnections } from './delivery/connection.ts'
import { createReport } from './delivery/report.ts'
import { createSender } from './delivery/sender.ts'
import { createSigningKeys } from './delivery/signing_keys.ts'
import { startHeartbeat } from './heartbeat.ts'
import { type WebhookMetrics, createMeter } from './metrics.ts'
import { createOutbox } from './outbox.ts'
import { openPool } from './pool.ts'
import { startRun } from './runner.ts'
import { type Supervised, supervise } from './supervise.ts'
import { createTasks, schedule } from './tasks/index.ts'
import { createUpkeep } from './upkeep.ts'

export type WorkerOptions = {
  /** svc_worker's, straight to PostgreSQL: LISTEN doesn't pass a pooler. */
  url: string
  config: Config
  credentials: Credentials
  log: Logger
  spans?: Spans
  /** Replaces the system's resolver. */
  resolve?: Resolve
  /** How long running deliveries may take to finish at a stop. */
  drainMs?: number
}

export type Worker = {
  metrics(): Promise<WebhookMetrics>
  /** Lets running requests finish for some seconds; what is left goes on elsewhere. */
  stop(): Promise<void>
}

/** Claims, records, heartbeats and sweeps; each kind goes one at a time. */
const connectionsForSending = 6

/** Starts delivering. Throws when the database doesn't answer. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { config, log } = options
  const watch = watchDatabase({ url: options.url, log, applicationName: 'svc_worker' })
  const { pool, close } = openPool(options.url, connectionsForSending, log, watch)
  const outbox = createOutbox(pool, `sender-${randomUUID()}`)
  const upkeep = createUpkeep(pool)
  const guard = createAddressGuard(parseRanges(config.WEBHOOK_ALLOWED_CIDRS), options.resolve)
  const connections = createConnections(guard)
  const keys = createSigningKeys(sealingKey(config, options.credentials))
  const context = {
    isProduction: config.SVC_ENVIRONMENT === 'production',
    guard,
    keys,
    connections: connections.of,
    urls: new Map(),
  }
  const meter = createMeter()
  const report = createReport(log, options.spans)
  const sender = createSender({
    outbox,
    log,
    ...(options.drainMs === undefined ? {} : { drainMs: options.drainMs }),
    onRecorded: meter.note,
    attempt: async (claim, signal) => {
      const trace = nextSpan(claim.traceparent)
      const traced = { ...claim, traceparent: traceparentOf(trace) }
      const made = await attempt(traced, context, signal)
      if (made) report(claim, made, trace)
      return made
    },
    cut: connections.closeAll,
    onIdle: (endpointId) => {
      connections.close(endpointId)
      keys.forget(endpointId)
    },
  })
  const taskList = createTasks(outbox, upkeep, sender, config)
  const startJobs = async (): Promise<Supervised> => {
    // What a worker takes before it is known could never be missed.
    await upkeep.beat([outbox.workerId])
    return supervise({
      log,
      start: () => startRun({ url: options.url, watch, log, taskList, cronItems: schedule }),
      retire: (poolId) => upkeep.retire([poolId]),
    })
  }
  const runner = await startJobs().catch(async (error: unknown) => {
    await sender.stop()
    await close()
    await watch.close()
    throw error
  })
  const heartbeat = startHeartbeat({
    upkeep,
    log,
    workerIds: () => [outbox.workerId, ...runner.poolIds()],
    claims: { workerId: outbox.workerId, held: sender.held },
  })

  return {
    metrics: async () => ({ queue: await upkeep.queueMetrics(), ...meter.read() }),
    stop: async () => {
      await runner.stop()
      await sender.stop()
      await heartbeat.stop()
      await close()
      await watch.close()
    },
  }
}
