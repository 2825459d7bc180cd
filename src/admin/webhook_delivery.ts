// What became of an endpoint's events, and sending them again.
import type { Command } from 'commander'
import * as registry from '../webhooks/registry.ts'
import type { AdminContext } from './context.ts'
import { AdminError, notFound, usageError } from './errors.ts'
import { examples } from './examples.ts'
import { id, oneOf, someOf, time } from './options.ts'
import { table } from './table.ts'
import { type OfTenant, onEndpoint, requireEndpoint } from './webhook_endpoint.ts'

const statuses = ['pending', 'delivered', 'failed', 'skipped'] as const
const anId = '01993c4e-3f0a-7c63-9d3c-0a4d1b7be111'

type DeliveriesOptions = OfTenant & { status?: string; since?: string; limit?: string }

export function registerDeliveries(group: Command, context: AdminContext): void {
  onEndpoint(group, 'deliveries', 'what was sent to an endpoint, the newest first')
    .option('--status <status>', `only ${statuses.join(', ')}`)
    .option('--since <time>', 'from a time on, such as 2026-11-01T09:00Z, or a span ago: 24h')
    .option('--limit <number>', 'at most so many')
    .addHelpText('after', examples(`webhook deliveries ${anId} --status failed --since 24h`))
    .action(async (given: string, options: DeliveriesOptions) => {
      const endpoint = await requireEndpoint(context, given, options)
      const deliveries = await registry.listDeliveries(await context.pool('owner'), {
        endpointId: endpoint.id,
        statuses: options.status ? [oneOf('--status', options.status, statuses)] : null,
        since: options.since ? time('--since', options.since) : null,
        limit: options.limit === undefined ? null : limitOf(options.limit),
      })
      context.print(deliveries, () => table(deliveries))
    })

  group
    .command('attempts')
    .description('each request that was made for a delivery, and its outcome')
    .argument('<delivery>', 'id of the delivery, see `webhook deliveries`')
    .addHelpText('after', examples(`webhook attempts ${anId}`))
    .action(async (given: string) => {
      const owner = await context.pool('owner')
      const [delivery] = await registry.listDeliveries(owner, { deliveryId: id(given) })
      if (!delivery) throw notFound('No delivery has this id.')
      const attempts = await registry.listAttempts(owner, delivery.id)
      context.print(attempts, () => table(attempts))
    })
}

function limitOf(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit < 1) throw usageError(`--limit takes a number from 1 to 999999, not "${text}".`)
  return limit
}

type ReplayOptions = { endpoint?: string; since?: string; until?: string; status: string }

export function registerReplay(group: Command, context: AdminContext): void {
  group
    .command('replay')
    .description('send again, once each: one delivery, or those of an endpoint in a span of time')
    .argument('[delivery]', 'id of a delivery, see `webhook deliveries`')
    .option('--endpoint <id>', 'all of an endpoint, with --since')
    .option('--since <time>', 'from a time on, or a span ago: 24h')
    .option('--until <time>', 'before a time, or a span ago (default: now)')
    .option('--status <statuses>', `all, or some of ${statuses.join(',')}`, 'failed,skipped')
    .addHelpText(
      'after',
      examples(
        `webhook replay ${anId}`,
        `webhook replay --endpoint ${anId} --since 2026-11-01T09:00Z --until 2026-11-01T11:00Z`,
      ),
    )
    .action(async (given: string | undefined, options: ReplayOptions) => {
      const filter = await replayFilter(context, given, options)
      const replayed = await registry.replayDeliveries(await context.pool('owner'), filter)
      context.print({ replayed }, () => `Sent again: ${replayed}.`)
    })
}

async function replayFilter(
  context: AdminContext,
  given: string | undefined,
  options: ReplayOptions,
): Promise<registry.DeliveryFilter> {
  if ((given === undefined) === (options.endpoint === undefined)) {
    throw usageError('Name a delivery, or an endpoint with --endpoint and --since.')
  }
  if (given !== undefined) return oneDelivery(context, id(given))
  if (options.since === undefined) throw usageError('--endpoint needs --since.')
  const endpoint = await requireEndpoint(context, options.endpoint ?? '')
  requireEnabled(endpoint)
  return {
    endpointId: endpoint.id,
    statuses: someOf('--status', options.status, statuses),
    since: time('--since', options.since),
    until: options.until === undefined ? null : time('--until', options.until),
  }
}

async function oneDelivery(
  context: AdminContext,
  deliveryId: string,
): Promise<registry.DeliveryFilter> {
  const owner = await context.pool('owner')
  const { rows } = await owner.query<{ endpoint_id: string }>(
    'select endpoint_id from outbox.deliveries where id = $1',
    [deliveryId],
  )
  const [delivery] = rows
  if (!delivery) throw notFound('No delivery has this id.')
  requireEnabled(await requireEndpoint(context, delivery.endpoint_id))
  return { deliveryId }
}

function requireEnabled(endpoint: registry.ListedEndpoint): void {
  if (endpoint.status === 'enabled') return
  throw new AdminError('webhook_disabled', 'This webhook is disabled: enable it first.')
}
