// Endpoints, events and a running worker for tests.
import { expect } from '@jest/globals'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { readConfig } from '../../src/config.ts'
import { createAddressGuard, parseRanges } from '../../src/webhooks/address_guard.ts'
import { type EventType, eventTypes } from '../../src/webhooks/events.ts'
import { type CreatedEndpoint, createEndpoint as register } from '../../src/webhooks/registry.ts'
import type { Resolve } from '../../src/webhooks/resolve.ts'
import { sealingKey } from '../../src/webhooks/secret.ts'
import { attempt } from '../../worker/delivery/attempt.ts'
import { createConnections } from '../../worker/delivery/connection.ts'
import { createSigningKeys } from '../../worker/delivery/signing_keys.ts'
import { type Worker, startWorker } from '../../worker/main.ts'
import { type AttemptRecord, type Outbox, createOutbox } from '../../worker/outbox.ts'
import type { Tenant, TestDatabase } from './database.ts'

export const testConfig = readConfig({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' })

export const testLog = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })

/** Registers an endpoint, past the checks of its URL. */
export const createEndpoint = (
  db: TestDatabase,
  tenant: Tenant,
  url: string,
  events: readonly EventType[] = eventTypes,
): Promise<CreatedEndpoint> =>
  register(db.owner, {
    tenantId: tenant.id,
    url,
    events,
    key: sealingKey(testConfig, db.credentials),
  })

/** A worker on the test's database. */
export function startTestWorker(
  db: TestDatabase,
  options: { resolve?: Resolve; config?: typeof testConfig } = {},
): Promise<Worker> {
  return startWorker({
    url: db.urls.worker,
    config: testConfig,
    credentials: db.credentials,
    log: testLog,
    ...options,
  })
}

/** Events of one transaction, as the API writes them; gives the batch's id. */
export async function emit(
  db: TestDatabase,
  tenant: Tenant,
  types: string[] = ['quote.created'],
): Promise<string> {
  const { rows } = await db.owner.query<{ batch_id: string }>(
    `with batch as (select uuidv7() as id)
    insert into outbox.events (tenant_id, batch_id, type, data)
    select
      $1,
      batch.id,
      type,
      jsonb_build_object('id', uuidv7(), 'external_reference', null, 'action', 'created')
    from batch, unnest($2::text[]) as type
    returning batch_id`,
    [tenant.id, types],
  )
  return rows[0]?.batch_id ?? ''
}

/** Events with the job that announces them. */
export async function announce(
  db: TestDatabase,
  tenant: Tenant,
  types: EventType[] = ['quote.created'],
): Promise<void> {
  await db.owner.query('select outbox.add_fan_out_job($1)', [await emit(db, tenant, types)])
}

/** Waits until a value is what it should be. */
export async function expectSoon<T>(
  read: () => Promise<T>,
  expected: T,
  timeoutMs = 120_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while ((await read()) !== expected && Date.now() < deadline) await sleep(25)
  expect(await read()).toBe(expected)
}

export type WorkerProcess = {
  /** SIGKILL: no good-bye, no clean-up. */
  kill(): Promise<void>
  /** SIGTERM. Gives the exit code: 0 when the worker has left nothing that runs on. */
  stop(): Promise<number | null>
}

/** A worker in a process of its own. */
export async function spawnWorker(db: TestDatabase): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [workerProcess], {
    env: {
      ...process.env,
      WORKER_OPTIONS: JSON.stringify({ url: db.urls.worker, credentials: db.credentials }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await Promise.race([once(child.stdout, 'data'), exited])
  return {
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
  }
}

const workerProcess = fileURLToPath(new URL('worker_process.ts', import.meta.url))

export type Steps = {
  outbox: Outbox
  /** Time as the worker and the database see it. */
  now: Date
  /** Fans a batch out. */
  fanOut(...batchIds: string[]): Promise<string[]>
  /** Claims what an endpoint has due, makes an attempt of each, and records them. */
  send(endpoint: { id: string }, limit?: number): Promise<AttemptRecord[]>
  /** Moves time on. */
  pass(milliseconds: number): void
  close(): Promise<void>
}

/** The worker's steps, one at a time and with a clock of their own. */
export function createSteps(
  db: TestDatabase,
  options: { config?: typeof testConfig; random?: () => number; workerId?: string } = {},
): Steps {
  const config = options.config ?? testConfig
  const guard = createAddressGuard(parseRanges(config.WEBHOOK_ALLOWED_CIDRS))
  const connections = createConnections(guard)
  const keys = createSigningKeys(sealingKey(config, db.credentials))
  const workerId = options.workerId ?? 'steps'
  const steps: Steps = {
    now: new Date(),
    outbox: createOutbox(db.as('worker'), workerId, () => steps.now),
    fanOut: async (...batchIds) => (await steps.outbox.fanOut(batchIds)).others,
    send: async ({ id }, limit = 100) => {
      const claims = await steps.outbox.claim([{ endpointId: id, limit }])
      const made = await Promise.all(
        claims.map((claim) =>
          attempt(claim, {
            isProduction: config.SVC_ENVIRONMENT === 'production',
            guard,
            keys,
            connections: connections.of,
            urls: new Map(),
            timeoutMs: 2000,
            clock: () => steps.now,
            random: options.random ?? (() => 0.5),
          }),
        ),
      )
      const records = made.filter((each) => each !== null)
      await steps.outbox.record(records)
      return records
    },
    pass: (milliseconds) => {
      steps.now = new Date(steps.now.getTime() + milliseconds)
    },
    close: () => connections.closeAll(),
  }
  return steps
}

export type DeliveryRow = {
  id: string
  status: string
  attempts: number
  response_status: number | null
  next_attempt_at: Date | null
  claimed_by: string | null
}

/** Deliveries of an endpoint, the oldest first. */
export async function deliveriesOf(
  db: TestDatabase,
  endpoint: { id: string },
): Promise<DeliveryRow[]> {
  const { rows } = await db.owner.query<DeliveryRow>(
    `select id, status, attempts, response_status, next_attempt_at, claimed_by
    from outbox.deliveries
    where endpoint_id = $1
    order by id`,
    [endpoint.id],
  )
  return rows
}

export type EndpointRow = {
  failing_since: Date | null
  disabled_at: Date | null
  disabled_reason: string | null
}

export async function endpointRow(
  db: TestDatabase,
  endpoint: { id: string },
): Promise<EndpointRow | undefined> {
  const { rows } = await db.owner.query<EndpointRow>(
    'select failing_since, disabled_at, disabled_reason from outbox.endpoints where id = $1',
    [endpoint.id],
  )
  return rows[0]
}
