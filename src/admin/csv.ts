// A CSV file as rows of trimmed text, each with the line on which it begins, as every
// fault is told by its line. What the text means, the database knows.
import { type InfoRecord, parse } from 'csv-parse/sync'

/** `line` 1 is the header; `column` is null when the whole line is meant. */
export type ImportFault = { line: number; column: string | null; type: string; msg: string }

/** A row for the database: its line and a text, or null for an empty cell, per column. */
export type ImportRow = { line: number } & Record<string, string | number | null>

export type CsvFile = { rows: ImportRow[]; faults: ImportFault[] }

type CsvRecord = { line: number; cells: string[] }

/** Reads a file that has exactly these columns, in any order. */
export function readCsv(bytes: Uint8Array, columns: string[]): CsvFile {
  const encodingFaults = findBrokenUtf8(bytes)
  // A byte order mark goes with the decoding. Line ends inside quotes count as one, too.
  const text = new TextDecoder().decode(bytes).replaceAll(/\r\n?/g, '\n')
  const { records, fault } = split(text)
  const [header, ...others] = records
  const names = withoutEmptyEnd(header?.cells ?? [], 0).map((name) => name.toLowerCase())
  const headerFaults = header
    ? findHeaderFaults(header.line, names, columns)
    : [at(1, null, 'missing', `needs a header: ${columns.join(',')}`)]
  const faults = [...encodingFaults, ...headerFaults, ...(fault ? [fault] : [])]
  if (headerFaults.length > 0) return { rows: [], faults }

  const rows: ImportRow[] = []
  for (const { line, cells } of others) {
    const record = { line, cells: withoutEmptyEnd(cells, names.length) }
    const rowFaults = findRowFaults(record, names)
    faults.push(...rowFaults)
    if (rowFaults.length === 0) rows.push(toRow(record, names))
  }
  return { rows, faults }
}

const at = (line: number, column: string | null, type: string, msg: string): ImportFault => ({
  line,
  column,
  type,
  msg,
})

// A quote that is never closed swallows all that follows: what came before still counts.
function split(text: string): { records: CsvRecord[]; fault: ImportFault | null } {
  const records: CsvRecord[] = []
  let end = 0
  const take = (cells: string[], { lines }: InfoRecord): null => {
    const record = { line: end + 1, cells: cells.map((cell) => cell.trim()) }
    end = lines
    if (record.cells.some((cell) => cell !== '')) records.push(record)
    return null
  }
  try {
    parse(text, { relaxColumnCount: true, trim: true, onRecord: take })
    return { records, fault: null }
  } catch (error) {
    const { code } = error as { code?: string }
    const msg =
      code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'opens a quote that is never closed'
        : 'has a quote in the wrong place: write "" for one inside a quoted cell'
    return { records, fault: at(end + 1, null, 'quote', msg) }
  }
}

// Spreadsheets end lines with empty cells that nobody typed.
function withoutEmptyEnd(cells: string[], least: number): string[] {
  const length = cells.findLastIndex((cell) => cell !== '') + 1
  return cells.slice(0, Math.max(length, least))
}

function findHeaderFaults(line: number, names: string[], columns: string[]): ImportFault[] {
  const missing = columns.filter((column) => !names.includes(column))
  const unknown = names.filter((name) => !columns.includes(name))
  const repeated = columns.filter((column) => names.filter((name) => name === column).length > 1)
  return [
    ...missing.map((column) => at(line, column, 'missing', 'this column is missing')),
    ...unknown.map((name) => at(line, name, 'extra_forbidden', `unknown; known: ${columns.join(',')}`)),
    ...repeated.map((column) => at(line, column, 'duplicate', 'this column is there twice')),
  ]
}

function findRowFaults({ line, cells }: CsvRecord, names: string[]): ImportFault[] {
  if (cells.length !== names.length) {
    return [at(line, null, 'cells', `has ${cells.length} cells for ${names.length} columns`)]
  }
  return cells.flatMap((cell, index) =>
    cell.includes('\0')
      ? [at(line, names[index] ?? null, 'string_characters', 'must not hold U+0000')]
      : [],
  )
}

function toRow({ line, cells }: CsvRecord, names: string[]): ImportRow {
  const row: ImportRow = { line }
  for (const [index, name] of names.entries()) row[name] = cells[index] || null
  return row
}

const newline = 0x0a

// No byte of a longer UTF-8 character is a newline, so that lines decode by themselves.
function findBrokenUtf8(bytes: Uint8Array): ImportFault[] {
  if (isUtf8(bytes)) return []
  const faults: ImportFault[] = []
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const found = bytes.indexOf(newline, start)
    const end = found === -1 ? bytes.length : found
    if (!isUtf8(bytes.subarray(start, end))) {
      faults.push(at(line, null, 'encoding', 'is not UTF-8: save the file as CSV UTF-8'))
    }
    start = end + 1
  }
  return faults
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
