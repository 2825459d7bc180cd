// What a query may cost, worked out before it runs from the sizes of its pages: rows that
// it may answer with, and scans for its counts and aggregates. A page inside a page
// multiplies. What a statement really takes is bounded once more by its time-out.
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  isObjectType,
} from 'postgraphile/graphql'
import { type Fragments, fragmentsOf, operationOf } from './document.ts'
import { maxPage } from './pages.ts'
import { refusal } from './refusal.ts'

/** In rows: 25 full pages, or 100 aggregates. */
const maxCost = 25_000
/** A count or an aggregate reads many rows to answer with one. */
const scanCost = 250
/** An answer of some 300 kB, whatever was asked. */
const introspectionCost = 10_000
/** Comparisons in one filter: each is made for every row. */
const maxConditions = 50
const maxListed = 1000
const maxFilterNesting = 12

const scans = new Set(['totalCount', 'aggregates', 'groupedAggregates'])
const pages = new Set(['nodes', 'edges'])

type Query = {
  schema: GraphQLSchema
  fragments: Fragments
  variables: Record<string, unknown>
}

/** Throws a GraphQLError when an operation may cost more than the limit. */
export function requireAffordable(args: {
  schema: GraphQLSchema
  document: DocumentNode
  operationName?: string | null | undefined
  variableValues?: Record<string, unknown> | null | undefined
}): void {
  const { schema, document } = args
  const operation = operationOf(document, args.operationName)
  const root = schema.getQueryType()
  if (!operation || !root) return
  if (operation.operation !== OperationTypeNode.QUERY) {
    throw refusal('only_queries', 'Analysts read: there are queries, and nothing else.')
  }
  const { coerced } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    args.variableValues ?? {},
  )
  // Wrong variables are for the execution to name.
  if (!coerced) return
  const query = { schema, fragments: fragmentsOf(document), variables: coerced }
  const cost = costOf(query, operation.selectionSet, root, 1, 0)
  if (cost > maxCost) {
    throw tooExpensive(
      `This query may cost ${cost} rows, and ${maxCost} are allowed. Ask for smaller pages, ` +
        'or for fewer counts and aggregates inside lists.',
    )
  }
}

/** Cost of the fields of a type that is met `times`, with pages of `rows` in a connection. */
function costOf(
  query: Query,
  set: SelectionSetNode,
  type: GraphQLObjectType,
  times: number,
  rows: number,
): number {
  return set.selections.reduce((cost, selection) => {
    if (selection.kind === Kind.FIELD) return cost + fieldCost(query, selection, type, times, rows)
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : query.fragments.get(selection.name.value)?.selectionSet
    return inner ? cost + costOf(query, inner, type, times, rows) : cost
  }, 0)
}

function fieldCost(
  query: Query,
  node: FieldNode,
  parent: GraphQLObjectType,
  times: number,
  rows: number,
): number {
  const name = node.name.value
  if (name === '__schema' || name === '__type') return introspectionCost
  const field = parent.getFields()[name]
  if (!field) return 0
  const args = getArgumentValues(field, node, query.variables)
  requireSmallFilter(args['filter'])
  const own = isConnection(parent) && scans.has(name) ? times * scanCost : 0

  const type = getNamedType(field.type)
  if (!node.selectionSet || !isObjectType(type)) return own
  if (isConnection(type)) return costOf(query, node.selectionSet, type, times, pageOf(args))
  const met = isConnection(parent) && pages.has(name) ? times * rows : times
  const read = scans.has(name) ? 0 : met
  return own + read + costOf(query, node.selectionSet, type, met, 0)
}

const isConnection = (type: GraphQLObjectType): boolean => type.name.endsWith('Connection')

function pageOf(args: Record<string, unknown>): number {
  const first = args['first']
  if (typeof first !== 'number' || first < 0 || first > maxPage) {
    throw refusal('page_too_large', `A page has 0 to ${maxPage} rows; go on with after.`)
  }
  return first
}

function requireSmallFilter(filter: unknown): void {
  let conditions = 0
  const visit = (value: unknown, nesting: number): void => {
    if (nesting > maxFilterNesting) {
      throw tooExpensive(`A filter nests at most ${maxFilterNesting} levels deep.`)
    }
    if (typeof value !== 'object' || value === null) {
      conditions += 1
    } else if (Array.isArray(value) && !value.some((entry) => isObject(entry))) {
      conditions += 1
      if (value.length > maxListed) {
        throw tooExpensive(`A filter compares with at most ${maxListed} values at once.`)
      }
    } else {
      for (const entry of Object.values(value)) visit(entry, nesting + 1)
    }
    if (conditions > maxConditions) {
      throw tooExpensive(`A filter has at most ${maxConditions} comparisons.`)
    }
  }
  if (isObject(filter)) visit(filter, 0)
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

const tooExpensive = (message: string): Error => refusal('query_too_expensive', message)
