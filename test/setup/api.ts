// The real server on a free port, on a database of the test's own, and a caller for it.
import pino, { type Logger } from 'pino'
import { createApp } from '../../src/app.ts'
import { type Caller, createCaller } from '../../src/database/pool.ts'
import { basePath } from '../../src/http/openapi.ts'
import { type Documents, openDocuments } from '../../src/documents/attach.ts'
import { createRateLimit } from '../../src/http/rate_limit.ts'
import { type Usage, createUsage } from '../../src/http/usage.ts'
import { type Metrics, createMetrics } from '../../src/metrics.ts'
import { listen } from '../../src/server.ts'
import type { KeyEnvironment } from '../../src/api_key.ts'
import { type Tenant, type TestDatabase, createDatabase, createTenant } from './database.ts'
import { requireDocumented } from './openapi.ts'
import { startPgBouncer } from './pgbouncer.ts'

export type Answer<Body = unknown> = {
  status: number
  headers: Headers
  text: string
  body: Body
}

export type Request = {
  key?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is. */
  raw?: string | Uint8Array
}

export type TestApi = {
  url: string
  db: TestDatabase
  caller: Caller
  usage: Usage
  metrics: Metrics
  /** A tenant with a key that holds every scope. */
  tenant: Tenant
  /** Sends a request. Throws when the OpenAPI document doesn't have the answer. */
  send<Body = any>(method: string, path: string, request?: Request): Promise<Answer<Body>>
  close(): Promise<void>
}

const documentDefaults = {
  CLAMD_URL: undefined,
  DOCUMENT_STORE: 'postgres',
  UPLOAD_CONCURRENCY: 4,
}

export async function createApi(
  options: {
    environment?: KeyEnvironment
    stagingBaseUrl?: string
    db?: TestDatabase
    apiUrl?: string
    perMinute?: number
    documents?: (caller: Caller) => Documents
    log?: Logger
    slowStatementMs?: number
  } = {},
): Promise<TestApi> {
  const db = options.db ?? (await createDatabase())
  const pooler = options.apiUrl || !process.env['TEST_PGBOUNCER'] ? null : await startPgBouncer(db.urls.api)
  const apiUrl = options.apiUrl ?? pooler?.url ?? db.urls.api
  const metrics = createMetrics()
  const caller = createCaller(apiUrl, {}, metrics.observeStatement)
  metrics.watchDepths(caller.depths)
  const log = options.log ?? pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  const usage = createUsage(caller, log)
  const documents = options.documents?.(caller) ?? (await openDocuments(documentDefaults, apiUrl))
  const service = {
    caller,
    documents,
    environment: options.environment ?? ('test' as const),
    stagingBaseUrl: options.stagingBaseUrl,
    rateLimit: createRateLimit(options.perMinute ?? 0),
    usage,
    metrics,
    slowStatementMs: options.slowStatementMs ?? 1000,
  }
  const listener = await listen(createApp(service, log), '127.0.0.1', 0, { hasDocs: true })
  const tenant = await createTenant(db, { environment: service.environment })
  return {
    url: listener.url,
    db,
    caller,
    usage,
    metrics,
    tenant,
    send: (method, path, request = {}) =>
      send(listener.url, method, path, { key: tenant.key, ...request }),
    close: async () => {
      await listener.close()
      await usage.close()
      await documents.close()
      await caller.close()
      await pooler?.stop()
      if (!options.db) await db.close()
    },
  }
}

async function send<Body = any>(
  url: string,
  method: string,
  path: string,
  { key, headers = {}, body, raw }: Request,
): Promise<Answer<Body>> {
  const response = await fetch(url + basePath + path, {
    method,
    headers: {
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined && raw === undefined ? {} : { body: raw ?? JSON.stringify(body) }),
  } as RequestInit)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson && text ? JSON.parse(text) : undefined) as Body,
  }
  requireDocumented(method, basePath + path, answer)
  return answer
}

let serial = 0

/** An Idempotency-Key that no other call of this run has. */
export const freshKey = (): Record<string, string> => ({
  'Idempotency-Key': `test-${process.pid}-${(serial += 1)}-${Math.random().toString(36).slice(2)}`,
})
