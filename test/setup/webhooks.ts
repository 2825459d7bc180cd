// Endpoints, events and a running worker for tests.
import pino from 'pino'
import { readConfig } from '../../src/config.ts'
import type { Resolve } from '../../src/webhooks/address_guard.ts'
import { makeSecret, sealSecret, sealingKey } from '../../src/webhooks/secret.ts'
import { type Worker, startWorker } from '../../worker/main.ts'
import type { Tenant, TestDatabase } from './database.ts'

export const testConfig = readConfig({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' })

export const testLog = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })

export type Endpoint = { id: string; secret: string }

/** Registers an endpoint. */
export async function createEndpoint(
  db: TestDatabase,
  tenant: Tenant,
  url: string,
  events: string[] = ['quote.created', 'organization.upserted', 'lead.upserted'],
): Promise<Endpoint> {
  const secret = makeSecret()
  const { rows } = await db.owner.query<{ id: string }>('select uuidv7() as id')
  const id = rows[0]?.id ?? ''
  await db.owner.query(
    `insert into outbox.endpoints (id, tenant_id, url, event_types, secret)
    values ($1, $2, $3, $4, $5)`,
    [id, tenant.id, url, events, sealSecret(secret, id, sealingKey(testConfig, db.credentials))],
  )
  return { id, secret }
}

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
