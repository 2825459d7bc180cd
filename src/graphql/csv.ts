// The rows of a query's one list as CSV (RFC 4180), for a spreadsheet. Columns are those
// that the query asks for, in its order, also when there is no row; a field of a related
// record is named `product.name`. A cell that a spreadsheet would run as a formula is
// made text by an apostrophe in front.
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  getDirectiveValues,
  valueFromASTUntyped,
} from 'postgraphile/graphql'
import { type Fragments, fragmentsOf, operationOf } from './document.ts'

export type Table = { name: string; columns: string[]; rows: string[][] }

type Query = {
  fragments: Fragments
  variables: Record<string, unknown>
}

type Column = { name: string; read(row: unknown): unknown }

const lists = new Set(['nodes', 'edges', 'groupedAggregates'])

/** The table that a query's answer is. Throws a GraphQLError when it isn't one list. */
export function tableOf(
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Record<string, unknown>,
  data: unknown,
): Table {
  const operation = operationOf(document, operationName)
  const query = {
    fragments: fragmentsOf(document),
    variables: { ...defaultsOf(operation), ...variables },
  }
  const [root, ...otherRoots] = operation ? fieldsOf(query, operation.selectionSet) : []
  const found = root?.selectionSet
    ? fieldsOf(query, root.selectionSet).filter((field) => lists.has(field.name.value))
    : []
  const [list, ...otherLists] = found
  if (!root || !list?.selectionSet || otherRoots.length > 0 || otherLists.length > 0) {
    throw new GraphQLError(
      'CSV is made of one list: one field at the top, and in it one of nodes, edges and ' +
        'groupedAggregates.',
    )
  }
  const columns =
    list.name.value === 'groupedAggregates'
      ? groupColumns(query, list, list.selectionSet)
      : rowColumns(query, list, list.selectionSet)
  const rows = (read(read(data, keyOf(root)), keyOf(list)) ?? []) as unknown[]
  return {
    name: root.name.value,
    columns: columns.map((column) => column.name),
    rows: rows.map((row) => columns.map((column) => textOf(column.read(row)))),
  }
}

const defaultsOf = (operation: OperationDefinitionNode | undefined): Record<string, unknown> =>
  Object.fromEntries(
    (operation?.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  )

const keyOf = (field: FieldNode): string => (field.alias ?? field.name).value

const read = (value: unknown, key: string): unknown =>
  (value as Record<string, unknown> | null | undefined)?.[key]

/** Fields of a selection set in order, those of its fragments in their place. */
function fieldsOf(query: Query, set: SelectionSetNode): FieldNode[] {
  return set.selections.flatMap((selection) => {
    if (!isIncluded(query, selection)) return []
    if (selection.kind === Kind.FIELD) {
      return selection.name.value.startsWith('__') ? [] : [selection]
    }
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : query.fragments.get(selection.name.value)?.selectionSet
    return inner ? fieldsOf(query, inner) : []
  })
}

function isIncluded(query: Query, selection: SelectionSetNode['selections'][number]): boolean {
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, query.variables)
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, query.variables)
  return skip?.['if'] !== true && include?.['if'] !== false
}

function rowColumns(query: Query, list: FieldNode, set: SelectionSetNode): Column[] {
  if (list.name.value === 'nodes') return columnsOf(query, set)
  const node = fieldsOf(query, set).find((field) => field.name.value === 'node')
  if (!node?.selectionSet) throw new GraphQLError('CSV of edges needs their node.')
  return within(keyOf(node), columnsOf(query, node.selectionSet), false)
}

function columnsOf(query: Query, set: SelectionSetNode): Column[] {
  return fieldsOf(query, set).flatMap((field) => {
    const key = keyOf(field)
    if (!field.selectionSet) return [{ name: key, read: (row) => read(row, key) }]
    if (fieldsOf(query, field.selectionSet).some((inner) => lists.has(inner.name.value))) {
      throw new GraphQLError('CSV has no lists within rows.')
    }
    return within(key, columnsOf(query, field.selectionSet), true)
  })
}

function within(key: string, columns: Column[], isNamed: boolean): Column[] {
  return columns.map((column) => ({
    name: isNamed ? `${key}.${column.name}` : column.name,
    read: (row) => column.read(read(row, key)),
  }))
}

// The keys of a group are a list, one for each grouping, which name the columns.
function groupColumns(query: Query, list: FieldNode, set: SelectionSetNode): Column[] {
  const names = groupingsOf(query, list)
  const keys = fieldsOf(query, set).filter((field) => field.name.value === 'keys').map(keyOf)
  return columnsOf(query, set).flatMap((column) => {
    if (!keys.includes(column.name)) return [column]
    return names.map((name, index) => ({
      name,
      read: (row: unknown) => (column.read(row) as unknown[] | null)?.[index],
    }))
  })
}

function groupingsOf(query: Query, list: FieldNode): string[] {
  const argument = list.arguments?.find((entry) => entry.name.value === 'groupBy')
  const given = argument ? valueFromASTUntyped(argument.value, query.variables) : []
  return [given].flat().map((name) => String(name).toLowerCase())
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join('; ')
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value as string | number | boolean)
}

/** The text of a table, its lines ended as the standard has it. */
export function toCsv(table: Table): string {
  return [table.columns, ...table.rows].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')
}

const number = /^-?\d+(\.\d+)?$/
const formula = /^\s*[=+\-@\t\r＝＋－＠]/

function cell(text: string): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
