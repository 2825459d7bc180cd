// Tenants: the appraisal companies of this deployment.
import type { Command } from 'commander'
import { openObjectStore } from '../documents/object_store.ts'
import { removeObjectsOf } from '../documents/sweep.ts'
import type { AdminContext } from './context.ts'
import { notFound, usageError } from './errors.ts'
import { examples } from './examples.ts'
import { fields, table } from './table.ts'

export type Tenant = { id: string; slug: string; name: string }

export function register(program: Command, context: AdminContext): void {
  const group = program.command('tenant').description('the companies that this deployment serves')

  group
    .command('create')
    .description('add a company')
    .requiredOption('--slug <slug>', 'short name in commands and in /me, a-z 0-9 and "-"')
    .requiredOption('--name <name>', 'full name')
    .addHelpText('after', examples('tenant create --slug acme --name "Acme Appraisal"'))
    .action(async ({ slug, name }: { slug: string; name: string }) => {
      const created = await createTenant(context, slug, name)
      context.print(created, () => `Created tenant ${created.slug} (${created.id}).`)
    })

  group
    .command('list')
    .description('all companies')
    .addHelpText('after', examples('tenant list', 'tenant list --json'))
    .action(async () => {
      const tenants = await listTenants(context)
      context.print(tenants, () => table(tenants))
    })

  group
    .command('show')
    .description('one company and how much it holds')
    .argument('[tenant]', 'slug or id')
    .option('--tenant, --slug <tenant>', 'the same as an option')
    .addHelpText('after', examples('tenant show acme'))
    .action(async (given: string | undefined, options: { slug?: string }) => {
      const shown = await showTenant(context, named(given, options.slug))
      context.print(shown, () => fields(shown))
    })

  group
    .command('delete')
    .description('remove a company with everything that it holds, for good')
    .argument('[tenant]', 'slug or id')
    .option('--tenant, --slug <tenant>', 'the same as an option')
    .option('--yes', 'without this nothing is removed')
    .addHelpText('after', examples('tenant delete acme --yes'))
    .action(async (given: string | undefined, options: { slug?: string; yes?: boolean }) => {
      const tenant = await findTenant(context, named(given, options.slug))
      if (!options.yes) {
        throw usageError(`This removes ${tenant.name} with all its data: confirm with --yes.`)
      }
      await deleteTenant(context, tenant)
      context.print({ ...tenant, deleted: true }, () => `Deleted tenant ${tenant.slug}.`)
    })
}

function named(...given: (string | undefined)[]): string {
  const name = given.find((text) => text !== undefined)
  if (name === undefined) throw usageError('Name the tenant: its slug or its id.')
  return name
}

/** The tenant with this slug or id. Throws not_found. */
export async function findTenant(context: AdminContext, slugOrId: string): Promise<Tenant> {
  const owner = await context.pool('owner')
  const { rows } = await owner.query<Tenant>(
    'select id, slug, name from app.tenants where slug = $1 or id::text = lower($1)',
    [slugOrId],
  )
  const [tenant] = rows
  if (!tenant) throw notFound(`No tenant is called ${slugOrId}.`)
  return tenant
}

export async function createTenant(
  context: AdminContext,
  slug: string,
  name: string,
): Promise<Tenant> {
  const owner = await context.pool('owner')
  const { rows } = await owner.query<Tenant>(
    'insert into app.tenants (slug, name) values ($1, btrim($2)) returning id, slug, name',
    [slug, name],
  )
  return rows[0] as Tenant
}

async function listTenants(context: AdminContext): Promise<(Tenant & { created_at: Date })[]> {
  const owner = await context.pool('owner')
  const { rows } = await owner.query<Tenant & { created_at: Date }>(
    'select id, slug, name, created_at from app.tenants order by slug',
  )
  return rows
}

async function showTenant(
  context: AdminContext,
  slugOrId: string,
): Promise<Record<string, unknown>> {
  const { id } = await findTenant(context, slugOrId)
  const owner = await context.pool('owner')
  const { rows } = await owner.query<Record<string, unknown>>(
    `select
      tenants.id,
      tenants.slug,
      tenants.name,
      tenants.created_at,
      (select count(*)::integer from auth.api_keys where tenant_id = tenants.id) as keys,
      (select count(*)::integer from app.products where tenant_id = tenants.id) as products,
      (select count(*)::integer from app.appraisers where tenant_id = tenants.id) as appraisers,
      (select count(*)::integer from app.organizations where tenant_id = tenants.id) as organizations,
      (select count(*)::integer from app.quotes where tenant_id = tenants.id) as quotes,
      (select count(*)::integer from app.leads where tenant_id = tenants.id) as leads,
      (select count(*)::integer from app.orders where tenant_id = tenants.id) as orders
    from app.tenants
    where tenants.id = $1`,
    [id],
  )
  return rows[0] ?? {}
}

// Rows first: an object without a row is nobody's, a row without its object is broken.
async function deleteTenant(context: AdminContext, { id }: Tenant): Promise<void> {
  const owner = await context.pool('owner')
  await owner.query('delete from app.tenants where id = $1', [id])
  const store = await openObjectStore(context.config().DOCUMENT_STORE)
  if (!store) return
  try {
    await removeObjectsOf(store, id)
  } finally {
    store.close()
  }
}
