// One file of the catalogue or of orders into the database: whole or not at all, with
// every fault by its line. The rules are the SQL functions office.import_*.
import type pg from 'pg'
import { type ImportFault, type ImportRow, readCsv } from './csv.ts'
import { AdminError, count } from './errors.ts'
import { inOffice } from './office.ts'

export const importKinds = ['products', 'appraisers', 'coverage', 'fees', 'orders'] as const
export type ImportKind = (typeof importKinds)[number]

/** Files that may stand for all that a tenant has: nothing else refers to their rows. */
const replaceable: readonly ImportKind[] = ['coverage', 'fees']

export type ImportSummary = {
  rows: number
  created: number
  updated: number
  unchanged: number
  deleted: number
}

/**
 * Imports a file. Throws AdminError validation_error, whose detail is the list of faults.
 * With `isReplacing` the rows that the file lacks are removed: coverage and fees only.
 */
export async function importFile(
  office: pg.Pool,
  tenantId: string,
  kind: ImportKind,
  bytes: Uint8Array,
  { isReplacing = false }: { isReplacing?: boolean } = {},
): Promise<ImportSummary> {
  if (isReplacing && !replaceable.includes(kind)) {
    throw new AdminError('usage', `--replace is for ${replaceable.join(' and ')} only.`)
  }
  return inOffice(office, tenantId, async (client) => {
    const { rows, faults } = readCsv(bytes, await columnsOf(client, kind))
    if (isReplacing && rows.length === 0 && faults.length === 0) {
      throw new AdminError('usage', 'The file has no rows: --replace would remove everything.')
    }
    const outcome = await callImport(client, kind, rows, isReplacing)
    const all = [...faults, ...outcome.faults].sort((a, b) => a.line - b.line)
    if (outcome.summary === null || all.length > 0) throw faultyFile(all)
    return outcome.summary
  })
}

async function columnsOf(client: pg.PoolClient, kind: ImportKind): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from office.import_columns($1)',
    [kind],
  )
  return rows.map(({ name }) => name)
}

type Outcome = { summary: ImportSummary | null; faults: ImportFault[] }

async function callImport(
  client: pg.PoolClient,
  kind: ImportKind,
  rows: ImportRow[],
  isReplacing: boolean,
): Promise<Outcome> {
  const parameters = replaceable.includes(kind) ? [isReplacing] : []
  const list = ['$1', ...parameters.map((_, index) => `$${index + 2}`)].join(', ')
  try {
    const result = await client.query<{ summary: ImportSummary }>(
      `select office.import_${kind}(${list}) as summary`,
      [JSON.stringify(rows), ...parameters],
    )
    return { summary: result.rows[0]?.summary ?? null, faults: [] }
  } catch (error) {
    const { code, detail } = error as { code?: string; detail?: string }
    if (code !== 'PT422' || detail === undefined) throw error
    return { summary: null, faults: JSON.parse(detail) as ImportFault[] }
  }
}

function faultyFile(faults: ImportFault[]): AdminError {
  const lines = faults.map(
    ({ line, column, msg }) => `line ${line}${column === null ? '' : `, ${column}`}: ${msg}`,
  )
  return new AdminError(
    'validation_error',
    `${lines.join('\n')}\nNothing was imported: ${count(faults.length, 'fault')}.`,
    faults,
  )
}
