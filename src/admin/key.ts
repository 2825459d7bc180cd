// API keys. A key is shown once, when it is made; the database knows only its digest.
import type { Command } from 'commander'
import {
  type KeyEnvironment,
  type Scope,
  environmentOf,
  environments,
  makeKey,
  scopes as allScopes,
} from '../api_key.ts'
import type { AdminContext } from './context.ts'
import { AdminError, notFound } from './errors.ts'
import { examples } from './examples.ts'
import { id, oneOf, seconds, someOf } from './options.ts'
import type { Queryable } from './queryable.ts'
import { fields, table } from './table.ts'
import { findTenant } from './tenant.ts'

/** How long a rotated key still works: a day is enough to hand out the new one. */
const defaultOverlap = '24h'

/** A new key as it is shown, once. */
export type CreatedKey = {
  id: string
  key: string
  key_prefix: string
  name: string
  scopes: Scope[]
  environment: KeyEnvironment
  tenant: string
}

type CreateOptions = {
  tenant: string
  name: string
  scopes: string
  environment?: string
  expiresIn?: string
}

type OfTenant = { tenant?: string }
type RotateOptions = OfTenant & { overlap: string; expiresIn?: string }

export function register(program: Command, context: AdminContext): void {
  const group = program.command('key').description('API keys of a tenant')
  registerCreate(group, context)
  registerRotate(group, context)

  group
    .command('list')
    .description('keys and what they may do, never the keys themselves')
    .option('--tenant <tenant>', 'of this tenant only: slug or id')
    .addHelpText('after', examples('key list --tenant acme'))
    .action(async (options: OfTenant) => {
      const keys = await listKeys(await context.pool('owner'), await tenantId(context, options))
      context.print(keys, () => table(keys.map(({ scopes, ...key }) => ({ ...key, scopes }))))
    })

  group
    .command('revoke')
    .description('end a key now; the next request with it is refused')
    .argument('<id>', 'id of the key, see `key list`')
    .option('--tenant <tenant>', 'only if it is of this tenant')
    .addHelpText('after', examples('key revoke 01993c4e-3f0a-7c63-9d3c-0a4d1b7be111'))
    .action(async (given: string, options: OfTenant) => {
      const owner = await context.pool('owner')
      const key = await revokeKey(owner, id(given), await tenantId(context, options))
      context.print(key, () => `Revoked key ${key.key_prefix}… "${key.name}" of ${key.tenant}.`)
    })
}

function registerCreate(group: Command, context: AdminContext): void {
  group
    .command('create')
    .description('make a key and show it, this once')
    .requiredOption('--tenant <tenant>', 'slug or id')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scopes <scopes>', `all, or some of ${allScopes.join(',')}`)
    .option('--environment <environment>', "test or live (default: the deployment's own)")
    .option('--expires-in <span>', 'for example 90d; s, m, h and d (default: never)')
    .addHelpText(
      'after',
      examples(
        'key create --tenant acme --name ci --scopes all',
        'key create --tenant acme --name website --scopes quotes:write,quotes:read --expires-in 90d',
      ),
    )
    .action(async (options: CreateOptions) => {
      const created = await insertKey(await context.pool('owner'), {
        tenantId: (await findTenant(context, options.tenant)).id,
        name: options.name,
        scopes: someOf('--scopes', options.scopes, allScopes),
        environment: options.environment
          ? oneOf('--environment', options.environment, environments)
          : environmentOf[context.config().SVC_ENVIRONMENT],
        expiresInSeconds: lifetime(options.expiresIn),
      })
      context.print(created, () => shownOnce(created))
    })
}

function registerRotate(group: Command, context: AdminContext): void {
  group
    .command('rotate')
    .description('replace a key by a new one with the same rights; the old one ends a little later')
    .argument('<id>', 'id of the key, see `key list`')
    .option('--tenant <tenant>', 'only if it is of this tenant')
    .option('--overlap <span>', 'how long the old key still works', defaultOverlap)
    .option('--expires-in <span>', 'for the new key (default: as long as the old one had)')
    .addHelpText(
      'after',
      examples(
        'key rotate 01993c4e-3f0a-7c63-9d3c-0a4d1b7be111',
        'key rotate 01993c4e-3f0a-7c63-9d3c-0a4d1b7be111 --overlap 7d',
      ),
    )
    .action(async (given: string, options: RotateOptions) => {
      const owner = await context.pool('owner')
      const old = await requireActiveKey(owner, id(given), await tenantId(context, options))
      const overlap = seconds('--overlap', options.overlap, 0)
      const created = await rotateKey(owner, old, overlap, lifetime(options.expiresIn))
      context.print(created, () => shownOnce(created))
    })
}

const tenantId = async (context: AdminContext, { tenant }: OfTenant): Promise<string | null> =>
  tenant === undefined ? null : (await findTenant(context, tenant)).id

const lifetime = (span: string | undefined): number | null =>
  span === undefined ? null : seconds('--expires-in', span)

const shownOnce = ({ key, scopes, ...rest }: CreatedKey): string =>
  `${fields({ key, ...rest, scopes })}\n\nKeep the key now: it can't be shown again.`

/** Makes a key. A lifetime of null: it never expires. */
export async function insertKey(
  owner: Queryable,
  wanted: {
    tenantId: string
    name: string
    scopes: readonly Scope[]
    environment: KeyEnvironment
    expiresInSeconds: number | null
  },
): Promise<CreatedKey> {
  const { key, prefix, digest } = makeKey(wanted.environment)
  const { rows } = await owner.query<Omit<CreatedKey, 'key'>>(
    `with created as (
      insert into auth.api_keys (tenant_id, name, prefix, digest, scopes, environment, expires_at)
      values ($1, btrim($2), $3, $4, $5, $6, now() + $7 * interval '1 second')
      returning *
    )

    select created.id, prefix as key_prefix, created.name, scopes, environment, slug as tenant
    from created
    inner join app.tenants on created.tenant_id = tenants.id`,
    [
      wanted.tenantId,
      wanted.name,
      prefix,
      digest,
      wanted.scopes,
      wanted.environment,
      wanted.expiresInSeconds,
    ],
  )
  return withKey(key, rows[0])
}

// The order of fields is part of the answer's looks: the id, then the key.
function withKey(key: string, row: Omit<CreatedKey, 'key'> | undefined): CreatedKey {
  if (!row) throw notFound('No key has this id.')
  const { id: keyId, ...rest } = row
  return { id: keyId, key, ...rest }
}

// The old key never gains time by it. A key that was rotated before has a short life
// left by design, so the lifetime to carry over is that of its newest successor.
async function rotateKey(
  owner: Queryable,
  old: ActiveKey,
  overlapSeconds: number,
  expiresInSeconds: number | null,
): Promise<CreatedKey> {
  const { key, prefix, digest } = makeKey(old.environment)
  const { rows } = await owner.query<Omit<CreatedKey, 'key'>>(
    `with old as (
      update auth.api_keys
      set expires_at = least(expires_at, now() + $4 * interval '1 second')
      where id = $1
      returning *
    ),

    newest as (
      select expires_at - created_at as lifetime
      from auth.api_keys
      where id = $1 or replaces_id = $1
      order by created_at desc, id desc
      limit 1
    ),

    created as (
      insert into auth.api_keys
        (tenant_id, name, prefix, digest, scopes, environment, replaces_id, expires_at)
      select
        old.tenant_id, old.name, $2, $3, old.scopes, old.environment, old.id,
        now() + coalesce($5 * interval '1 second', newest.lifetime)
      from old, newest
      returning *
    )

    select created.id, prefix as key_prefix, created.name, scopes, environment, slug as tenant
    from created
    inner join app.tenants on created.tenant_id = tenants.id`,
    [old.id, prefix, digest, overlapSeconds, expiresInSeconds],
  )
  return withKey(key, rows[0])
}

type ActiveKey = { id: string; environment: KeyEnvironment }

async function requireActiveKey(
  owner: Queryable,
  keyId: string,
  ofTenant: string | null,
): Promise<ActiveKey> {
  const { rows } = await owner.query<ActiveKey & { is_active: boolean }>(
    `select
      id,
      environment,
      revoked_at is null and coalesce(expires_at > now(), true) as is_active
    from auth.api_keys
    where id = $1 and ($2::uuid is null or tenant_id = $2)`,
    [keyId, ofTenant],
  )
  const [found] = rows
  if (!found) throw notFound('No key has this id.')
  if (!found.is_active) {
    throw new AdminError('key_inactive', 'This key is revoked or expired: make a new one.')
  }
  return found
}

type ListedKey = Omit<CreatedKey, 'key'> & {
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  replaces_id: string | null
}

const listed = `
  api_keys.id,
  tenants.slug as tenant,
  api_keys.name,
  api_keys.prefix as key_prefix,
  api_keys.environment,
  api_keys.scopes,
  api_keys.created_at,
  api_keys.expires_at,
  api_keys.revoked_at,
  api_keys.replaces_id`

async function listKeys(owner: Queryable, ofTenant: string | null): Promise<ListedKey[]> {
  const { rows } = await owner.query<ListedKey>(
    `select ${listed}
    from auth.api_keys
    inner join app.tenants on api_keys.tenant_id = tenants.id
    where $1::uuid is null or api_keys.tenant_id = $1
    order by tenants.slug, api_keys.created_at, api_keys.id`,
    [ofTenant],
  )
  return rows
}

async function revokeKey(
  owner: Queryable,
  keyId: string,
  ofTenant: string | null,
): Promise<ListedKey> {
  const { rows } = await owner.query<ListedKey>(
    `update auth.api_keys
    set revoked_at = coalesce(api_keys.revoked_at, now())
    from app.tenants
    where
      api_keys.id = $1
      and api_keys.tenant_id = tenants.id
      and ($2::uuid is null or tenants.id = $2)
    returning ${listed}`,
    [keyId, ofTenant],
  )
  const [key] = rows
  if (!key) throw notFound('No key has this id.')
  return key
}
