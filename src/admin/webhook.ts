// Webhooks: where a tenant's partners hear of its events, and what became of each.
import type { Command } from 'commander'
import { createAddressGuard, parseRanges } from '../webhooks/address_guard.ts'
import { parseEndpointUrl, requirePublicName } from '../webhooks/endpoint_url.ts'
import { eventTypes } from '../webhooks/events.ts'
import * as registry from '../webhooks/registry.ts'
import { sealingKey } from '../webhooks/secret.ts'
import type { AdminContext } from './context.ts'
import { AdminError } from './errors.ts'
import { examples } from './examples.ts'
import { seconds, someOf } from './options.ts'
import { fields, table } from './table.ts'
import { findTenant } from './tenant.ts'
import { registerDeliveries, registerReplay } from './webhook_delivery.ts'
import { type OfTenant, onEndpoint, requireEndpoint, tenantIdOf } from './webhook_endpoint.ts'

/** Time enough for a receiver to take the new secret. */
const defaultOverlap = '24h'
const anId = '01993c4e-3f0a-7c63-9d3c-0a4d1b7be111'

export function register(program: Command, context: AdminContext): void {
  const group = program.command('webhook').description('endpoints that receive events')
  registerCreate(group, context)
  registerShow(group, context)
  registerRotate(group, context)
  registerSwitches(group, context)
  registerTest(group, context)
  registerDeliveries(group, context)
  registerReplay(group, context)
}

function registerCreate(group: Command, context: AdminContext): void {
  group
    .command('create')
    .description('register an endpoint and show its signing secret, this once')
    .requiredOption('--tenant <tenant>', 'slug or id')
    .requiredOption('--url <url>', 'where events are posted; https in production')
    .requiredOption('--events <events>', `all, or some of ${eventTypes.join(',')}`)
    .addHelpText(
      'after',
      examples('webhook create --tenant acme --url https://partner.example/hooks --events all'),
    )
    .action(async (options: { tenant: string; url: string; events: string }) => {
      const events = someOf('--events', options.events, eventTypes)
      const url = await checkedUrl(context, options.url)
      const created = await registry.createEndpoint(await context.pool('owner'), {
        tenantId: (await findTenant(context, options.tenant)).id,
        url,
        events,
        key: await keyOf(context),
      })
      context.print(created, () => shownOnce(created))
    })
}

const shownOnce = (created: Record<string, unknown>): string =>
  `${fields(created)}\n\nKeep the secret now: it can't be shown again.`

async function checkedUrl(context: AdminContext, text: string): Promise<string> {
  const config = context.config()
  const guard = createAddressGuard(parseRanges(config.WEBHOOK_ALLOWED_CIDRS))
  const isProduction = config.SVC_ENVIRONMENT === 'production'
  try {
    const url = parseEndpointUrl(text.trim(), { isProduction, guard })
    await requirePublicName(url, guard)
    return url.href
  } catch (error) {
    throw new AdminError('url_refused', (error as Error).message)
  }
}

async function keyOf(context: AdminContext): Promise<Buffer> {
  const { credentials } = await context.database()
  return sealingKey(context.config(), credentials)
}

function registerShow(group: Command, context: AdminContext): void {
  group
    .command('list')
    .description('endpoints, never their secrets')
    .option('--tenant <tenant>', 'of this tenant only: slug or id')
    .addHelpText('after', examples('webhook list --tenant acme'))
    .action(async (options: OfTenant) => {
      const tenantId = await tenantIdOf(context, options)
      const endpoints = await registry.listEndpoints(await context.pool('owner'), { tenantId })
      context.print(endpoints, () => table(endpoints))
    })

  onEndpoint(group, 'show', 'one endpoint, why it is disabled, and how its deliveries fare')
    .addHelpText('after', examples(`webhook show ${anId}`))
    .action(async (given: string, options: OfTenant) => {
      const endpoint = await requireEndpoint(context, given, options)
      const owner = await context.pool('owner')
      const deliveries = await registry.countDeliveries(owner, endpoint.id)
      context.print({ ...endpoint, deliveries }, () => fields({ ...endpoint, ...deliveries }))
    })
}

function registerRotate(group: Command, context: AdminContext): void {
  onEndpoint(group, 'rotate', 'replace the secret; until the overlap ends, both secrets sign')
    .option('--overlap <span>', 'how long the old secret still signs', defaultOverlap)
    .addHelpText('after', examples(`webhook rotate ${anId}`))
    .action(async (given: string, options: OfTenant & { overlap: string }) => {
      const span = seconds('--overlap', options.overlap, 0)
      const endpoint = await requireEndpoint(context, given, options)
      const owner = await context.pool('owner')
      const rotated = await registry.rotateSecret(owner, endpoint.id, span, await keyOf(context))
      context.print(rotated, () => shownOnce(rotated))
    })
}

function registerSwitches(group: Command, context: AdminContext): void {
  onEndpoint(group, 'disable', 'send nothing more; what comes meanwhile is recorded as skipped')
    .addHelpText('after', examples(`webhook disable ${anId}`))
    .action(async (given: string, options: OfTenant) => {
      const { id: endpointId } = await requireEndpoint(context, given, options)
      await registry.disableEndpoint(await context.pool('owner'), endpointId)
      const endpoint = await requireEndpoint(context, endpointId)
      context.print(endpoint, () => `Disabled ${endpoint.url}.`)
    })

  onEndpoint(group, 'enable', 'send new events again; what was skipped takes a replay')
    .addHelpText('after', examples(`webhook enable ${anId}`))
    .action(async (given: string, options: OfTenant) => {
      const { id: endpointId } = await requireEndpoint(context, given, options)
      await registry.enableEndpoint(await context.pool('owner'), endpointId)
      const endpoint = await requireEndpoint(context, endpointId)
      context.print(endpoint, () => `Enabled ${endpoint.url}.`)
    })
}

function registerTest(group: Command, context: AdminContext): void {
  onEndpoint(group, 'test', 'send webhook.test to an endpoint, once; `webhook deliveries` shows the outcome')
    .addHelpText('after', examples(`webhook test ${anId}`))
    .action(async (given: string, options: OfTenant) => {
      const endpoint = await requireEndpoint(context, given, options)
      const delivery = await registry.sendTest(await context.pool('owner'), endpoint.id)
      context.print(delivery, () =>
        endpoint.status === 'disabled'
          ? `Skipped: ${endpoint.url} is disabled.`
          : `On its way to ${endpoint.url} as ${delivery?.webhook_id}.`,
      )
    })
}
