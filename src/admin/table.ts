// Answers for people: tables, and the fields of one record.

type Row = Record<string, unknown>

/** Rows in aligned columns, in the order of the first row's fields. */
export function table(rows: Row[]): string {
  const [first] = rows
  if (!first) return 'none'
  const names = Object.keys(first)
  const lines = [
    names.map((name) => name.replaceAll('_', ' ').toUpperCase()),
    ...rows.map((row) => names.map((name) => cell(row[name]))),
  ]
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ').trimEnd())
    .join('\n')
}

/** One record, a field a line. */
export function fields(record: Row): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length))
  return Object.entries(record)
    .map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(width)}  ${cell(value)}`)
    .join('\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
