// Connections of the worker's login, which outlive what happens to any of them.
import pg from 'pg'
import type { Logger } from 'pino'
import type { Watch } from '../src/database/watch.ts'

export type WorkerPool = {
  pool: pg.Pool
  /** Ends every connection, those that somebody still holds included. */
  close(): Promise<void>
}

/** How long connections may take to say good-bye. */
const goodbyeMs = 1000

export function openPool(url: string, max: number, log: Logger, watch: Watch): WorkerPool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    stream: watch.stream,
    // Whatever the watch doesn't see. The server's own limit of a statement is 60 s.
    query_timeout: 70_000,
    application_name: 'svc_worker',
  })
  const clients = new Set<pg.PoolClient>()
  pool.on('error', (error) => log.warn({ err: error }, 'a connection was lost'))
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', () => {})
  })
  pool.on('remove', (client) => clients.delete(client))

  return {
    pool,
    close: async () => {
      const ended = pool.end().catch(() => {})
      const held = [...clients].map((client) => (client as unknown as pg.Client).end().catch(() => {}))
      const timeUp = new Promise((resolve) => setTimeout(resolve, goodbyeMs).unref())
      await Promise.race([Promise.all([ended, ...held]), timeUp])
    },
  }
}
