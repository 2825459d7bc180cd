// dbmate up, then the logins' passwords. Everything that the database holds comes from
// db/migrations; this adds only secrets.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { resolveBinary } from 'dbmate'
import pg from 'pg'
import { type Credentials, loginRoles } from './credentials.ts'
import { migrationsFolder, readSchemaState, requireMigratable } from './schema_state.ts'

// A migration waits for a lock for less than PostgreSQL's deadlock_timeout (1 s). So where it and
// a request wait for each other, it is the migration that gives up, never the request, and
// nobody queues behind it for longer. It has done nothing then, and may be run again.
const lockTimeoutMs = 500
const hadNoLock = /\((?:55P03|40P01)\)/
const pauseMs = 500
const tries = 60

/**
 * Runs dbmate on a folder of migrations, again while one can't have its locks: for half a
 * minute to a minute. Gives the names of all that it applied or took back, in whichever run;
 * throws with the last lines when it fails.
 */
export async function dbmate(
  url: string,
  command: 'up' | 'rollback',
  folder = migrationsFolder,
): Promise<string[]> {
  // dbmate names one that failed, too, and again when it succeeds.
  const names = new Set<string>()
  for (let left = tries - 1; ; left -= 1) {
    const { code, output } = await runDbmate(url, command, folder)
    for (const [, name] of output.matchAll(/^(?:Applied|Rolled back): (\S+)/gm)) names.add(name!)
    if (code === 0) return [...names]
    if (left === 0 || !hadNoLock.test(output)) {
      throw new Error(`Migrations failed:\n${output.trim().split('\n').slice(-5).join('\n')}`)
    }
    await sleep(pauseMs)
  }
}

async function runDbmate(
  url: string,
  command: string,
  folder: string,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(resolveBinary(), ['--migrations-dir', folder, '--no-dump-schema', command], {
    env: { ...process.env, DATABASE_URL: dbmateUrl(url) },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, output }
}

function dbmateUrl(url: string): string {
  const parsed = new URL(url)
  // Unlike libpq, dbmate insists on TLS unless told; the server of this machine has none.
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(parsed.hostname)
  if (isLocal && !parsed.searchParams.has('sslmode')) {
    parsed.searchParams.set('sslmode', 'disable')
  }
  // Options of the address take the place of those of the environment, and ours join them.
  const others = parsed.searchParams.get('options') ?? process.env['PGOPTIONS'] ?? ''
  parsed.searchParams.set('options', `${others} -c lock_timeout=${lockTimeoutMs}`.trim())
  return parsed.href
}

/** Gives the logins of this deployment their passwords. */
export async function setLoginPasswords(
  url: string,
  credentials: Credentials,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const role of loginRoles) {
      const password = client.escapeLiteral(credentials.logins[role])
      await client.query(`alter role ${role} login password ${password}`)
    }
  } finally {
    await client.end()
  }
}

/**
 * Brings a database to today's schema and lets the logins in; one process at a time.
 * Gives the names of the migrations that it applied.
 */
export async function migrate(url: string, credentials: Credentials): Promise<string[]> {
  // dbmate says in words what went wrong; a driver's code tells a server that isn't there
  // yet, which is worth waiting for, from a fault.
  requireMigratable(await readSchemaState(url))
  return exclusively(url, async () => {
    const names = await dbmate(url, 'up')
    await setLoginPasswords(url, credentials)
    return names
  })
}

/** Takes the newest migration back; what its columns and tables hold is lost. Gives its name. */
export const migrateBack = (url: string): Promise<string[]> =>
  exclusively(url, () => dbmate(url, 'rollback'))

// A start and a command may find the same empty server. The lock is in database
// `postgres`, as the one to migrate may not be there yet; whoever can't enter that goes
// on without.
async function exclusively<T>(url: string, work: () => Promise<T>): Promise<T> {
  const target = new URL(url)
  const name = `migrate:${target.pathname}`
  target.pathname = '/postgres'
  const client = new pg.Client({ connectionString: target.href, connectionTimeoutMillis: 4000 })
  client.on('error', () => {})
  try {
    await client
      .connect()
      .then(() => client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]))
      .catch(() => {})
    return await work()
  } finally {
    await client.end().catch(() => {})
  }
}
