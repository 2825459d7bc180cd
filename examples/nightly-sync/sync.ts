// Sends the rows in batches, in their order, and keeps the journal after each.
import { createHash } from 'node:crypto'
import createClient from 'openapi-fetch'
import type { Directory, Row, RowError } from './directory.ts'
import { type Journal, saveJournal } from './journal.ts'
import { type Retry, withRetries } from './retry.ts'
import type { components, paths } from './schema.d.ts'

/** As many as the API takes in one request. */
export const batchSize = 100

/** A request may take so long; then it counts as lost, and is repeated. */
const timeoutMs = 60_000

type Result = components['schemas']['OrganizationBatchResults']['results'][number]

/** The service refused, and would refuse again. */
export class Refused extends Error {}

export type Sync = {
  baseUrl: string
  apiKey: string
  journalPath: string
  retry: Retry
  onProgress: (journal: Journal) => void
}

/** Synchronises the rows that are not done yet. Throws GivenUp and Refused. */
export async function synchronise({ rows }: Directory, journal: Journal, sync: Sync): Promise<void> {
  const send = senderOf(sync)
  while (journal.done < rows.length) {
    const batch = rows.slice(journal.done, journal.done + batchSize)
    const { results, errors } = await sendBatch(send, batch, journal.run)
    const count = (action: Result['action']) => results.filter((one) => one.action === action).length
    journal.created += count('created')
    journal.updated += count('updated')
    journal.errors.push(...errors)
    journal.done += batch.length
    await saveJournal(sync.journalPath, journal)
    sync.onProgress(journal)
  }
}

type Outcome = { results: Result[]; errors: RowError[] }
type Send = ReturnType<typeof senderOf>

// A row whose form is wrong fails its whole batch. Without it the batch is another
// request, with a key of its own, and is sent again.
async function sendBatch(send: Send, rows: Row[], run: string): Promise<Outcome> {
  if (rows.length === 0) return { results: [], errors: [] }
  const { data, error } = await send(rows, run)
  if (data) return { results: data.results, errors: errorsOf(data.results, rows) }
  const faults = new Map<number, string>()
  for (const { loc, msg } of ('detail' in error && error.detail) || []) {
    const [, , index, ...field] = loc
    if (typeof index === 'number') faults.set(index, faults.get(index) ?? `${field.join('.')}: ${msg}`)
  }
  if (faults.size === 0) throw new Refused(`${error.code}: ${error.message} (request ${error.request_id})`)
  const rest = await sendBatch(send, rows.filter((_, index) => !faults.has(index)), run)
  const refused = [...faults].flatMap(([index, message]) =>
    rowError(rows[index], 'validation_error', message),
  )
  return { results: rest.results, errors: [...refused, ...rest.errors] }
}

function senderOf({ baseUrl, apiKey, retry }: Sync) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } })
  return (rows: Row[], run: string) => {
    const body = { items: rows.map(({ item }) => item) }
    const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex')
    const header = { 'Idempotency-Key': `${run}-${digest.slice(0, 32)}` }
    return withRetries(
      () =>
        client.POST('/public/v1/organizations/batch', {
          params: { header },
          body,
          signal: AbortSignal.timeout(timeoutMs),
        }),
      retry,
    )
  }
}

const errorsOf = (results: Result[], rows: Row[]): RowError[] =>
  results.flatMap(({ index, action, error_code: code, message }) =>
    action === 'error' ? rowError(rows[index], code ?? '', message ?? '') : [],
  )

const rowError = (row: Row | undefined, code: string, message: string): RowError[] =>
  row
    ? [{ line: row.line, external_reference: row.item.external_reference, code, message }]
    : []
