// A database for each test file, cloned from the template that global.ts migrated.
import { randomBytes } from 'node:crypto'
import { createHash } from 'node:crypto'
import pg from 'pg'
import { type KeyEnvironment, type Scope, makeKey, scopes } from '../../src/api_key.ts'
import { type Credentials } from '../../src/database/credentials.ts'
import { type DatabaseUrls, roleUrls } from '../../src/database/open.ts'

export type TestDatabase = {
  urls: DatabaseUrls
  credentials: Credentials
  /** The administrator, who sees past row-level security. */
  owner: pg.Pool
  /** A pool of one login role, as the product uses it. */
  as(role: keyof DatabaseUrls): pg.Pool
  close(): Promise<void>
}

type Shared = { url: string; template: string; credentials: Credentials }

export const sharedVariable = 'TEST_DATABASE'

export async function createDatabase(): Promise<TestDatabase> {
  const { url, template, credentials } = JSON.parse(
    process.env[sharedVariable] ?? '{}',
  ) as Shared
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(url, `create database ${name} template ${template}`)
  const target = new URL(url)
  target.pathname = `/${name}`
  const urls = roleUrls(target.href, credentials)
  const pools = new Map<string, pg.Pool>()
  const as = (role: keyof DatabaseUrls): pg.Pool => {
    const pool = pools.get(role) ?? new pg.Pool({ connectionString: urls[role], max: 8 })
    // The drop may end a connection before it has said goodbye.
    if (pool.listenerCount('error') === 0) pool.on('error', () => {})
    pools.set(role, pool)
    return pool
  }
  return {
    urls,
    credentials,
    owner: as('owner'),
    as,
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()))
      await administer(url, `drop database ${name} with (force)`)
    },
  }
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

export type Tenant = { id: string; slug: string; key: string }

/** A tenant with a key that holds every scope, or those given. */
export async function createTenant(
  database: TestDatabase,
  options: { scopes?: readonly Scope[]; environment?: KeyEnvironment } = {},
): Promise<Tenant> {
  const slug = `t-${randomBytes(5).toString('hex')}`
  const { rows } = await database.owner.query<{ id: string }>(
    'insert into app.tenants (slug, name) values ($1, $2) returning id',
    [slug, `Tenant ${slug}`],
  )
  const id = rows[0]?.id ?? ''
  const key = await createKey(database, id, options)
  return { id, slug, key }
}

/** A key of a tenant, as its holder has it. */
export async function createKey(
  database: TestDatabase,
  tenantId: string,
  options: { scopes?: readonly Scope[]; environment?: KeyEnvironment } = {},
): Promise<string> {
  const environment = options.environment ?? 'test'
  const { key, prefix, digest } = makeKey(environment)
  await database.owner.query(
    `insert into auth.api_keys (tenant_id, name, prefix, digest, scopes, environment)
    values ($1, 'test', $2, $3, $4, $5)`,
    [tenantId, prefix, digest, options.scopes ?? scopes, environment],
  )
  return key
}

export const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest()
