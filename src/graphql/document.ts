// Looking things up in a parsed query.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
} from 'postgraphile/graphql'

export type Fragments = Map<string, FragmentDefinitionNode>

export const fragmentsOf = (document: DocumentNode): Fragments =>
  new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  )

/** The operation of a name, or the first. */
export const operationOf = (
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode | undefined =>
  document.definitions.find(
    (definition) =>
      definition.kind === Kind.OPERATION_DEFINITION && (!name || definition.name?.value === name),
  ) as OperationDefinitionNode | undefined
