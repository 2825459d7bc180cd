// Tokens for /graphql. Like a key, a token is shown once and stored as a digest.
import type { Command } from 'commander'
import { makeAnalystToken } from '../analyst_token.ts'
import type { AdminContext } from './context.ts'
import { notFound, usageError } from './errors.ts'
import { examples } from './examples.ts'
import { id, seconds, words } from './options.ts'
import type { Queryable } from './queryable.ts'
import { fields, table } from './table.ts'
import { findTenant } from './tenant.ts'

/** A new token as it is shown, once. `tenants` holds slugs, or the one word `all`. */
export type CreatedAnalyst = { id: string; token: string; name: string; tenants: string[] }

type CreateOptions = { name: string; tenants: string; expiresIn?: string }

export function register(program: Command, context: AdminContext): void {
  const group = program.command('analyst').description('tokens of analysts, for /graphql')

  group
    .command('create')
    .description('make a token and show it, this once')
    .requiredOption('--name <name>', 'who it is for')
    .requiredOption('--tenant, --tenants <tenants>', 'all, or slugs: acme,b')
    .option('--expires-in <span>', 'for example 90d; s, m, h and d (default: never)')
    .addHelpText(
      'after',
      examples(
        'analyst create --name dana --tenants acme,bravo',
        'analyst create --name head-office --tenants all --expires-in 90d',
      ),
    )
    .action(async (options: CreateOptions) => {
      const created = await insertAnalyst(await context.pool('owner'), {
        name: options.name,
        tenantIds: await tenantIds(context, words(options.tenants)),
        expiresInSeconds:
          options.expiresIn === undefined ? null : seconds('--expires-in', options.expiresIn),
      })
      context.print(
        created,
        () => `${fields(created)}\n\nKeep the token now: it can't be shown again.`,
      )
    })

  group
    .command('list')
    .description('tokens and the tenants that they see, never the tokens themselves')
    .addHelpText('after', examples('analyst list'))
    .action(async () => {
      const analysts = await listAnalysts(await context.pool('owner'))
      context.print(analysts, () => table(analysts))
    })

  group
    .command('revoke')
    .description('end a token now')
    .argument('<id>', 'id of the token, see `analyst list`')
    .addHelpText('after', examples('analyst revoke 01993c4e-3f0a-7c63-9d3c-0a4d1b7be111'))
    .action(async (given: string) => {
      const owner = await context.pool('owner')
      const analyst = await revokeAnalyst(owner, id(given))
      context.print(analyst, () => `Revoked token ${analyst.prefix}… of ${analyst.name}.`)
    })
}

async function tenantIds(context: AdminContext, names: string[]): Promise<string[] | 'all'> {
  if (names.length === 0) throw usageError('--tenants: give all, or slugs such as acme,b.')
  if (names.includes('all')) return 'all'
  const tenants = await Promise.all(names.map((name) => findTenant(context, name)))
  return tenants.map((tenant) => tenant.id)
}

/** Makes a token that sees some tenants, or all, future ones included. */
export async function insertAnalyst(
  owner: Queryable,
  wanted: { name: string; tenantIds: string[] | 'all'; expiresInSeconds: number | null },
): Promise<CreatedAnalyst> {
  const { token, prefix, digest } = makeAnalystToken()
  const isForAll = wanted.tenantIds === 'all'
  const { rows } = await owner.query<{ id: string; name: string; slugs: string[] }>(
    `with created as (
      insert into auth.analyst_tokens (name, prefix, digest, is_for_all_tenants, expires_at)
      values (btrim($1), $2, $3, $4, now() + $5 * interval '1 second')
      returning id, name
    ),

    bound as (
      insert into auth.analyst_token_tenants (token_id, tenant_id)
      select created.id, tenants.id
      from created, app.tenants
      where tenants.id = any($6::uuid[])
      returning tenant_id
    )

    select
      created.id,
      created.name,
      array(
        select tenants.slug
        from app.tenants
        where tenants.id in (select bound.tenant_id from bound)
        order by tenants.slug
      ) as slugs
    from created`,
    [
      wanted.name,
      prefix,
      digest,
      isForAll,
      wanted.expiresInSeconds,
      isForAll ? [] : wanted.tenantIds,
    ],
  )
  const [row] = rows
  if (!row) throw notFound('The token was not stored.')
  return { id: row.id, token, name: row.name, tenants: isForAll ? ['all'] : row.slugs }
}

type ListedAnalyst = {
  id: string
  name: string
  prefix: string
  tenants: string[]
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
}

const listed = `
  analyst_tokens.id,
  analyst_tokens.name,
  analyst_tokens.prefix,
  case
    when analyst_tokens.is_for_all_tenants then array['all']
    else array(
      select tenants.slug
      from auth.analyst_token_tenants
      inner join app.tenants on analyst_token_tenants.tenant_id = tenants.id
      where analyst_token_tenants.token_id = analyst_tokens.id
      order by tenants.slug
    )
  end as tenants,
  analyst_tokens.created_at,
  analyst_tokens.expires_at,
  analyst_tokens.revoked_at`

async function listAnalysts(owner: Queryable): Promise<ListedAnalyst[]> {
  const { rows } = await owner.query<ListedAnalyst>(
    `select ${listed} from auth.analyst_tokens order by created_at, id`,
  )
  return rows
}

async function revokeAnalyst(owner: Queryable, tokenId: string): Promise<ListedAnalyst> {
  const { rows } = await owner.query<ListedAnalyst>(
    `update auth.analyst_tokens
    set revoked_at = coalesce(revoked_at, now())
    where id = $1
    returning ${listed}`,
    [tokenId],
  )
  const [analyst] = rows
  if (!analyst) throw notFound('No analyst token has this id.')
  return analyst
}
