// What every command has at hand: the environment, the database and a way to answer.
// Nothing opens before a command asks for it, so that help and usage errors are quick.
import { hostname, userInfo } from 'node:os'
import pg from 'pg'
import { type Config, readConfig } from '../config.ts'
import { migrate } from '../database/migrate.ts'
import { type Database, type DatabaseUrls, openDatabase } from '../database/open.ts'
import { pendingVersions, readSchemaState, requireMigratable } from '../database/schema_state.ts'
import { AdminError } from './errors.ts'

export type Role = keyof DatabaseUrls

export type AdminContext = {
  /** The environment. Throws ConfigError. */
  config(): Config
  /** The database and the deployment's secrets; starts an embedded server if need be. */
  database(): Promise<Database>
  /** A pool of one role's connections, closed with the command. */
  pool(role: Role): Promise<pg.Pool>
  /** Answers: the value as JSON with --json, else the text for people. */
  print(value: unknown, text: () => string): void
  /** Ends connections and lets an embedded server go. */
  close(): Promise<void>
}

export function createContext(
  environment: NodeJS.ProcessEnv,
  output: { isJson: () => boolean; write: (text: string) => void },
): AdminContext {
  const pools = new Map<Role, pg.Pool>()
  const config = once(() => readConfig(environment))
  const opened = once(() => openDatabase(config()))
  const ready = once(async () => {
    const database = await opened()
    requireOwner(database)
    await bringUpToDate(database)
    return database
  })
  return {
    config,
    database: ready,
    pool: async (role) => {
      const { urls } = await ready()
      const pool = pools.get(role) ?? createPool(urls[role])
      pools.set(role, pool)
      return pool
    },
    print: (value, text) => {
      output.write(`${output.isJson() ? JSON.stringify(value, null, 2) : text()}\n`)
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()))
      if (opened.wasCalled()) await (await opened().catch(() => null))?.release()
    },
  }
}

type Once<Value> = (() => Value) & { wasCalled: () => boolean }

function once<Value>(make: () => Value): Once<Value> {
  let made: { value: Value } | null = null
  const call = (): Value => (made ??= { value: make() }).value
  return Object.assign(call, { wasCalled: () => made !== null })
}

function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: 10_000,
    application_name: applicationName(),
  })
  pool.on('error', () => {})
  return pool
}

// Operators share the administrator's login: the history of changes (audit.changes) tells
// them apart by this. PostgreSQL takes 63 bytes of ASCII.
function applicationName(): string {
  return `svc_admin ${operator()}@${hostname()}`.replace(/[^ -~]/g, '?').slice(0, 63)
}

function operator(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

function requireOwner({ hasOwner }: Database): void {
  if (hasOwner) return
  throw new AdminError(
    'configuration',
    "Commands work as the administrator: set DATABASE_URL to the administrator's URL.",
  )
}

// A database that holds nothing yet is made ready, so that commands work before the
// first start. One of an older version is a deployment's: its operator migrates it.
async function bringUpToDate({ urls, credentials, isEmbedded }: Database): Promise<void> {
  const state = await readSchemaState(urls.owner)
  requireMigratable(state)
  if (pendingVersions(state).length === 0) return
  if (state.applied.size > 0 && !isEmbedded) {
    throw new AdminError(
      'migrations_pending',
      'The database is of an older version: run `npm run migrate` first.',
    )
  }
  await migrate(urls.owner, credentials)
}
