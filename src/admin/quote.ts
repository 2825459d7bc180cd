// The office's side of quotes: what is in the queue, and how each goes on.
import type { Command } from 'commander'
import type pg from 'pg'
import type { AdminContext } from './context.ts'
import { notFound, usageError } from './errors.ts'
import { examples } from './examples.ts'
import { inOffice } from './office.ts'
import { id, oneOf } from './options.ts'
import { fields, table } from './table.ts'
import { findTenant } from './tenant.ts'

const statuses = ['open', 'sent', 'accepted', 'declined', 'expired'] as const

const moves = {
  accept: { status: 'accepted', description: 'the client took a sent quote' },
  decline: { status: 'declined', description: 'the client turned a sent quote down' },
  expire: { status: 'expired', description: 'an open or sent quote is no longer valid' },
} as const

const exampleId = '01993c4e-3f0a-7c63-9d3c-0a4d1b7be111'

/** Everything about a quote, as office.quote_detail_json has it. */
type QuoteDetail = { id: string; status: string } & Record<string, unknown>

type OfTenant = { tenant?: string }

export function register(program: Command, context: AdminContext): void {
  const group = program.command('quote').description("the office's side of quotes")
  registerList(group, context)

  group
    .command('show')
    .description('one quote, whole: people, notes, metadata, history and documents')
    .argument('<id>', 'id of the quote')
    .option('--tenant <tenant>', 'only if it is of this tenant')
    .addHelpText('after', examples(`quote show ${exampleId} --json`))
    .action(async (given: string, options: OfTenant) => {
      const quote = await showQuote(context, id(given), options)
      context.print(quote, () => fields(quote))
    })

  registerSend(group, context)
  for (const [name, { status, description }] of Object.entries(moves)) {
    group
      .command(name)
      .description(description)
      .argument('<id>', 'id of the quote')
      .option('--tenant <tenant>', 'only if it is of this tenant')
      .addHelpText('after', examples(`quote ${name} ${exampleId}`))
      .action(async (given: string, options: OfTenant) => {
        const call = 'office.move_quote($1, $2)'
        printMoved(context, await moveQuote(context, id(given), options, call, [status]))
      })
  }
}

type ListOptions = { tenant?: string; status?: string; limit: string }

function registerList(group: Command, context: AdminContext): void {
  group
    .command('list')
    .description('quotes, the newest first')
    .option('--tenant <tenant>', 'of this tenant only: slug or id')
    .option('--status <status>', `one of ${statuses.join(', ')}`)
    .option('--limit <number>', 'how many at most', '100')
    .addHelpText('after', examples('quote list --tenant acme --status open'))
    .action(async (options: ListOptions) => {
      const quotes = await listQuotes(context, options)
      context.print(quotes, () => table(quotes))
    })
}

type SendOptions = OfTenant & { fee: string; turnaroundDays?: string }

function registerSend(group: Command, context: AdminContext): void {
  group
    .command('send')
    .description('an open quote was sent to the client, with this fee')
    .argument('<id>', 'id of the quote')
    .requiredOption('--fee <usd>', 'engagement fee, for example 450.00; a quote is sent with one')
    .option('--turnaround, --turnaround-days <days>', 'days from engagement to delivery')
    .option('--tenant <tenant>', 'only if it is of this tenant')
    .addHelpText('after', examples(`quote send ${exampleId} --fee 450.00 --turnaround-days 5`))
    .action(async (given: string, options: SendOptions) => {
      const terms = [amount(options.fee), days(options.turnaroundDays)]
      const call = 'office.send_quote($1, $2, $3)'
      printMoved(context, await moveQuote(context, id(given), options, call, terms))
    })
}

function amount(text: string): string {
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(text)) {
    throw usageError(`--fee is an amount in USD such as 450.00, not "${text}".`)
  }
  return text
}

function days(text: string | undefined): string | null {
  if (text === undefined) return null
  if (!/^\d{1,4}$/.test(text)) {
    throw usageError(`--turnaround-days is a whole number of days, not "${text}".`)
  }
  return text
}

const printMoved = (context: AdminContext, quote: QuoteDetail): void =>
  context.print(quote, () => `Quote ${quote.id} is ${quote.status}.`)

async function listQuotes(
  context: AdminContext,
  options: ListOptions,
): Promise<Record<string, unknown>[]> {
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1) throw usageError('--limit is a number from 1 on.')
  const status = options.status ? oneOf('--status', options.status, statuses) : null
  const tenant = options.tenant ? await findTenant(context, options.tenant) : null
  const owner = await context.pool('owner')
  const { rows } = await owner.query<Record<string, unknown>>(
    `select
      quotes.id,
      tenants.slug as tenant,
      quotes.status,
      quotes.external_reference,
      quotes.product_code,
      quotes.fee::text,
      quotes.turnaround_days,
      quotes.subject_county as county,
      quotes.subject_state as state,
      quotes.client_name as client,
      quotes.source,
      quotes.created_at
    from app.quotes
    inner join app.tenants on quotes.tenant_id = tenants.id
    where
      ($1::uuid is null or quotes.tenant_id = $1)
      and ($2::text is null or quotes.status = $2)
    order by quotes.created_at desc, quotes.id desc
    limit $3`,
    [tenant?.id ?? null, status, limit],
  )
  return rows
}

async function showQuote(
  context: AdminContext,
  quoteId: string,
  options: OfTenant,
): Promise<QuoteDetail> {
  const tenantId = await tenantOf(context, quoteId, options)
  return inOffice(await context.pool('office'), tenantId, (client) => readDetail(client, quoteId))
}

async function moveQuote(
  context: AdminContext,
  quoteId: string,
  options: OfTenant,
  call: string,
  values: (string | null)[],
): Promise<QuoteDetail> {
  const tenantId = await tenantOf(context, quoteId, options)
  return inOffice(await context.pool('office'), tenantId, async (client) => {
    // The history is read by a statement of its own: one that writes doesn't see it yet.
    await client.query(`select ${call}`, [quoteId, ...values])
    return readDetail(client, quoteId)
  })
}

async function readDetail(client: pg.PoolClient, quoteId: string): Promise<QuoteDetail> {
  const { rows } = await client.query<{ quote: QuoteDetail }>(
    `select office.quote_detail_json(quotes) as quote
    from app.quotes
    where quotes.tenant_id = office.tenant_id() and quotes.id = $1`,
    [quoteId],
  )
  const [row] = rows
  if (!row) throw unknownQuote()
  return row.quote
}

const unknownQuote = () => notFound('No quote has this id.')

// Ids are unique within a tenant, and indexed so: hence a look into each tenant.
async function tenantOf(
  context: AdminContext,
  quoteId: string,
  options: OfTenant,
): Promise<string> {
  const tenant = options.tenant ? await findTenant(context, options.tenant) : null
  const owner = await context.pool('owner')
  const { rows } = await owner.query<{ id: string }>(
    `select tenants.id
    from app.tenants
    cross join lateral (
      select from app.quotes where quotes.tenant_id = tenants.id and quotes.id = $1 limit 1
    ) as found
    where $2::uuid is null or tenants.id = $2`,
    [quoteId, tenant?.id ?? null],
  )
  const [row] = rows
  if (!row) throw unknownQuote()
  return row.id
}
