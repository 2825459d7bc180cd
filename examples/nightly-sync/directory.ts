// Reads the directory from CSV files. Columns are named as the API names the fields; an
// empty cell clears a field, and a column that isn't there leaves it alone.
import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { components } from './schema.d.ts'

export type Organization = components['schemas']['OrganizationInput']
type Contact = components['schemas']['ContactInput']

export type Row = { line: number; item: Organization & { external_reference: string } }

/** A row that wasn't saved, and why. */
export type RowError = { line: number; external_reference: string; code: string; message: string }

export type Directory = { rows: Row[]; errors: RowError[] }

/** What makes no sense as a whole: a missing file or column. */
export class InputError extends Error {}

type Cells = Record<string, string>
type Line = { line: number; cells: Cells }

const booleans = new Set(['is_active', 'paid_when_paid', 'is_primary'])

/** The organizations of a file, with the contacts of another. Throws InputError. */
export async function readDirectory(path: string, contactsPath?: string): Promise<Directory> {
  const lines = await readCsv(path, ['external_reference', 'name', 'client_type'])
  const contacts = contactsPath === undefined ? null : await readContacts(contactsPath)
  const directory: Directory = { rows: [], errors: [] }
  const seen = new Map<string, number>()
  for (const { line, cells } of lines) {
    const reference = cells['external_reference'] ?? ''
    const earlier = seen.get(reference)
    if (reference === '' || earlier !== undefined) {
      const message = reference === '' ? 'external_reference is empty' : `line ${earlier} has it, too`
      directory.errors.push({ line, external_reference: reference, code: 'row', message })
      continue
    }
    seen.set(reference, line)
    const own = contacts?.get(reference)
    const item = { ...fieldsOf(cells), ...(own ? { contacts: own } : {}) }
    // What isn't right in it, the API says.
    directory.rows.push({ line, item: item as Row['item'] })
  }
  return directory
}

async function readContacts(path: string): Promise<Map<string, Contact[]>> {
  const lines = await readCsv(path, [
    'organization_external_reference', 'display_name', 'email', 'contact_type',
  ])
  const contacts = new Map<string, Contact[]>()
  for (const { cells } of lines) {
    const { organization_external_reference: reference = '', ...rest } = cells
    const own = contacts.get(reference) ?? []
    contacts.set(reference, [...own, fieldsOf(rest) as Contact])
  }
  return contacts
}

const fieldsOf = (cells: Cells): Record<string, unknown> =>
  Object.fromEntries(Object.entries(cells).map(([name, text]) => [name, valueOf(name, text)]))

function valueOf(name: string, text: string): unknown {
  if (text === '') return null
  if (!booleans.has(name)) return text
  return ['true', 'false'].includes(text) ? text === 'true' : text
}

async function readCsv(path: string, needed: string[]): Promise<Line[]> {
  try {
    const text = await readFile(path, 'utf8')
    const lines = parse(text, { bom: true, columns: true, trim: true, skip_empty_lines: true, info: true }) as unknown as
      { record: Cells; info: { lines: number } }[]
    const missing = needed.filter((name) => lines[0] && !(name in lines[0].record))
    if (missing.length > 0) throw new Error(`no column ${missing.join(', ')}`)
    return lines.map(({ record, info }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    throw new InputError(`${path}: ${(error as Error).message}`, { cause: error })
  }
}
