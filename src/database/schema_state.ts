// Whether a database is one that this code can work on: its server new enough, its schema
// migrated, and not by a release that the code is too old for. Checked at each start, with
// the login that is at hand.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

export const migrationsFolder = fileURLToPath(new URL('../../db/migrations', import.meta.url))

/** uuidv7() came with it. */
const oldestServer = 18

/** A database that waiting doesn't mend. The message is one line for the operator. */
export class DatabaseRefusal extends Error {}

export type SchemaState = {
  /** As in server_version_num: 180004. */
  server: number
  /** Versions of the migrations that ran; empty where there is no database or no schema. */
  applied: Set<string>
  /** The oldest migration that a release must know to work on this schema. */
  compatibleFrom: string | null
}

/** The versions of the migrations that this code brings. */
export const ownVersions = (): Set<string> =>
  new Set(
    readdirSync(migrationsFolder)
      .filter((name) => name.endsWith('.sql'))
      .map((name) => name.split('_')[0] ?? ''),
  )

/** Those of them that a database hasn't had yet. */
export const pendingVersions = ({ applied }: SchemaState): string[] =>
  [...ownVersions()].filter((version) => !applied.has(version))

/** Looks a database up. Throws when the server doesn't answer or refuses the login. */
export async function readSchemaState(url: string): Promise<SchemaState> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 4000, query_timeout: 4000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return {
      server: Number((await client.query('show server_version_num')).rows[0].server_version_num),
      applied: await readApplied(client),
      compatibleFrom: await readCompatibleFrom(client),
    }
  } catch (error) {
    // dbmate makes a database that doesn't exist, on the server that `postgres` is on.
    if (!isCode(error, ['3D000']) || isNamed(url, 'postgres')) throw error
    const { server } = await readSchemaState(renamed(url, 'postgres'))
    return { server, applied: new Set(), compatibleFrom: null }
  } finally {
    await client.end().catch(() => {})
  }
}

async function readApplied(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client
    .query<{ version: string }>('select version from public.schema_migrations')
    .catch(noneWithout)
  return new Set(rows.map(({ version }) => version))
}

async function readCompatibleFrom(client: pg.Client): Promise<string | null> {
  const { rows } = await client
    .query<{ version: string }>('select reference.compatible_from() as version')
    .catch(noneWithout)
  return rows[0]?.version ?? null
}

// No such table, function or schema, or no right to it: nobody migrated this database.
function noneWithout(error: unknown): { rows: never[] } {
  if (isCode(error, ['42P01', '42883', '3F000', '42501'])) return { rows: [] }
  throw error
}

/** Throws DatabaseRefusal where migrating wouldn't help either. */
export function requireMigratable({ server, applied, compatibleFrom }: SchemaState): void {
  const major = Math.floor(server / 10_000)
  if (major < oldestServer) {
    throw new DatabaseRefusal(
      `The database is PostgreSQL ${major}, which is too old: PostgreSQL ${oldestServer} or later is needed.`,
    )
  }
  const own = ownVersions()
  const isBroken = applied.size > 0 && compatibleFrom !== null && !own.has(compatibleFrom)
  if (isBroken) {
    throw new DatabaseRefusal(
      `The database is newer than this release: its schema needs migration ${compatibleFrom}, ` +
        'which this release does not have. Start a later release.',
    )
  }
}

/** Throws DatabaseRefusal unless this code can work on the database as it is. */
export function requireUsable(state: SchemaState): void {
  requireMigratable(state)
  const pending = pendingVersions(state)
  if (pending.length === 0) return
  throw new DatabaseRefusal(
    state.applied.size === 0
      ? 'The database is not migrated: run `npm run migrate` first.'
      : `The database is older than this release, by ${pending.length} migrations: run \`npm run migrate\` first.`,
  )
}

const isCode = (error: unknown, codes: string[]): boolean =>
  codes.includes((error as { code?: string }).code ?? '')

const isNamed = (url: string, name: string): boolean => new URL(url).pathname === `/${name}`

function renamed(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}
