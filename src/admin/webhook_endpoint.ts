// What commands about one endpoint have in common.
import type { Command } from 'commander'
import * as registry from '../webhooks/registry.ts'
import type { AdminContext } from './context.ts'
import { notFound } from './errors.ts'
import { id } from './options.ts'
import { findTenant } from './tenant.ts'

export type OfTenant = { tenant?: string }

/** A command about one endpoint. */
export const onEndpoint = (group: Command, name: string, description: string): Command =>
  group
    .command(name)
    .description(description)
    .argument('<id>', 'id of the endpoint, see `webhook list`')
    .option('--tenant <tenant>', 'only if it is of this tenant')

export const tenantIdOf = async (
  context: AdminContext,
  { tenant }: OfTenant,
): Promise<string | undefined> =>
  tenant === undefined ? undefined : (await findTenant(context, tenant)).id

/** The endpoint that a command names. Throws not_found. */
export async function requireEndpoint(
  context: AdminContext,
  given: string,
  options: OfTenant = {},
): Promise<registry.ListedEndpoint> {
  const tenantId = await tenantIdOf(context, options)
  const owner = await context.pool('owner')
  const [endpoint] = await registry.listEndpoints(owner, { id: id(given), tenantId })
  if (!endpoint) throw notFound('No webhook has this id.')
  return endpoint
}
