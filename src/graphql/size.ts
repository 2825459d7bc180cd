// A first look at a query's text, before anything is done with it whose work may grow
// faster than the text: validation compares fields in pairs, fragments can double at each
// step. Refuses what no question of an analyst needs.
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  parse,
} from 'postgraphile/graphql'
import { type Fragments, fragmentsOf } from './document.ts'
import { refusal } from './refusal.ts'

const maxTokens = 5000
/** Fields and spreads of the whole query, each fragment counted wherever it is used. */
const maxSelections = 1000
const maxRootFields = 100
/** Names of the caller's own: each may be one more subquery. */
const maxAliases = 100
/** Nesting of a variable's value: a filter's and, or and not. */
const maxNesting = 12
/** Entries of all variables together, and so of a list to compare with. */
const maxValues = 5000

/** Throws a GraphQLError when a query's text or variables are out of all proportion. */
export function requireReasonableSize(query: unknown, variables: unknown): void {
  requireFewValues(variables)
  if (typeof query !== 'string') return
  const document = parseBounded(query)
  const fragments = fragmentsOf(document)
  for (const definition of document.definitions) {
    // Fragments that nobody uses are validated, too.
    if (!('selectionSet' in definition)) continue
    const isRoot = definition.kind === Kind.OPERATION_DEFINITION
    requireFewSelections(selectionsOf(definition.selectionSet, fragments, isRoot))
  }
}

function parseBounded(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens })
  } catch (error) {
    if (error instanceof GraphQLError && /\d+ tokens/.test(error.message)) {
      throw tooLarge(`A query has at most ${maxTokens} words and signs.`)
    }
    throw error
  }
}

type Selected = { node: SelectionNode; isRoot: boolean }

function requireFewSelections(selections: Iterable<Selected>): void {
  const counts = { all: 0, root: 0, aliased: 0 }
  for (const { node, isRoot } of selections) {
    counts.all += 1
    if (node.kind === Kind.FIELD) {
      if (isRoot) counts.root += 1
      if (node.alias) counts.aliased += 1
    }
    if (counts.root > maxRootFields) {
      throw tooLarge(`A query has at most ${maxRootFields} fields at its top.`)
    }
    if (counts.aliased > maxAliases) throw tooLarge(`A query has at most ${maxAliases} aliases.`)
    if (counts.all > maxSelections) throw tooLarge(`A query has at most ${maxSelections} fields.`)
  }
}

// One after another, so that whoever counts can stop: fragments of fragments may stand
// for any number of fields. One that contains itself is for validation to name.
function* selectionsOf(
  set: SelectionSetNode,
  fragments: Fragments,
  isRoot: boolean,
  path: string[] = [],
): Generator<Selected> {
  for (const node of set.selections) {
    yield { node, isRoot }
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const name = node.name.value
      const fragment = path.includes(name) ? undefined : fragments.get(name)
      if (fragment) yield* selectionsOf(fragment.selectionSet, fragments, isRoot, [...path, name])
    } else if (node.selectionSet) {
      const isField = node.kind === Kind.FIELD
      yield* selectionsOf(node.selectionSet, fragments, isRoot && !isField, path)
    }
  }
}

function requireFewValues(variables: unknown): void {
  let values = 0
  const visit = (value: unknown, nesting: number): void => {
    values += 1
    if (values > maxValues) throw tooLarge(`Variables hold at most ${maxValues} values.`)
    if (typeof value !== 'object' || value === null) return
    if (nesting > maxNesting) throw tooLarge(`Variables nest at most ${maxNesting} levels deep.`)
    for (const entry of Object.values(value)) visit(entry, nesting + 1)
  }
  visit(variables, 0)
}

const tooLarge = (message: string): GraphQLError => refusal('query_too_large', message)
