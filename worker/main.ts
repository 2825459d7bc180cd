// The worker: turns committed events into deliveries and sends them. It runs inside the
// server's process or in one of its own, as many as there are, and outlives a database
// that goes away. `startWorker` is the whole of it; src/main.ts calls it.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../src/config.ts'
import type { Credentials } from '../src/database/credentials.ts'
import { createAddressGuard, parseRanges } from '../src/webhooks/address_guard.ts'
import type { Resolve } from '../src/webhooks/resolve.ts'
import { sealingKey } from '../src/webhooks/secret.ts'
import { attempt } from './delivery/attempt.ts'
import { createConnections } from './delivery/connection.ts'
import { createSender } from './delivery/sender.ts'
import { createSigningKeys } from './delivery/signing_keys.ts'
import { startHeartbeat } from './heartbeat.ts'
import { type WebhookMetrics, createMeter } from './metrics.ts'
import { createOutbox } from './outbox.ts'
import { superviseRunner } from './runner.ts'
import { createTasks, schedule } from './tasks/index.ts'
import { createUpkeep } from './upkeep.ts'

export type WorkerOptions = {
  /** svc_worker's, straight to PostgreSQL: LISTEN doesn't pass a pooler. */
  url: string
  config: Config
  credentials: Credentials
  log: Logger
  /** Replaces the system's resolver. */
  resolve?: Resolve
}

export type Worker = {
  metrics(): Promise<WebhookMetrics>
  /** Lets running requests finish for some seconds; what is left goes on elsewhere. */
  stop(): Promise<void>
}

/** Starts delivering. Resolves once jobs are taken. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { config, log } = options
  const pool = openPool(options.url, log)
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
  const sender = createSender({
    outbox,
    log,
    onRecorded: meter.note,
    attempt: (claim, signal) => attempt(claim, context, signal),
    cut: connections.closeAll,
    onIdle: (endpointId) => {
      connections.close(endpointId)
      keys.forget(endpointId)
    },
  })
  const runner = superviseRunner({
    pool,
    log,
    taskList: createTasks(outbox, upkeep, sender, config),
    cronItems: schedule,
    // What a worker claims before it is known could never be missed.
    prepare: () => upkeep.beat([outbox.workerId]),
  })
  const heartbeat = startHeartbeat(upkeep, log, () => [outbox.workerId, ...runner.poolIds()])
  await runner.isReady

  return {
    metrics: async () => ({ queue: await upkeep.queueMetrics(), ...meter.read() }),
    stop: async () => {
      await runner.stop()
      await sender.stop()
      await heartbeat.stop()
      await pool.end()
    },
  }
}

function openPool(url: string, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    application_name: 'svc_worker',
  })
  const warn = (error: Error): void => log.warn({ err: error }, 'a connection was lost')
  pool.on('error', warn)
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
