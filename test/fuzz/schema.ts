// The places of a request that the OpenAPI document describes, each with its schema:
// every parameter, and every property of the body, however deep.

export type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  [keyword: string]: unknown
}

export type Parameter = { name: string; in: string; required?: boolean; schema: Schema }

export type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export type Place = 'body' | 'query' | 'path' | 'header'

export type Site = {
  place: Place
  /** Names and indexes within the place; none for the body itself. */
  path: (string | number)[]
  /** Without references; null is one of its types where it may be null. */
  schema: Schema
  isRequired: boolean
  /** Sent as text, whatever its type: parameters and the fields of a form. */
  isText: boolean
}

/** The operations of a document with their methods and paths. */
export const operationsOf = (document: OpenApi) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )

/** Every place of an operation's request. */
export function sitesOf(document: OpenApi, operation: Operation): Site[] {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const isForm = type === 'multipart/form-data'
  const parameters = (operation.parameters ?? []).map((parameter): Site => ({
    place: parameter.in as Place,
    path: [parameter.name],
    schema: resolve(document, parameter.schema),
    isRequired: parameter.required === true,
    isText: true,
  }))
  const body = content ? below(document, content.schema, [], true) : []
  return [...parameters, ...body.map((site) => ({ ...site, isText: isForm && site.path.length > 0 }))]
}

function below(document: OpenApi, given: Schema, path: Site['path'], isRequired: boolean): Site[] {
  const schema = resolve(document, given)
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    below(document, part, [...path, name], schema.required?.includes(name) === true),
  )
  const items = schema.items ? below(document, schema.items, [...path, 0], true) : []
  return [{ place: 'body', path, schema, isRequired, isText: false }, ...properties, ...items]
}

function resolve(document: OpenApi, schema: Schema): Schema {
  const { $ref, anyOf, ...rest } = schema
  if ($ref) {
    const name = $ref.split('/').at(-1) ?? ''
    return { ...resolve(document, document.components.schemas[name] ?? {}), ...rest }
  }
  if (!anyOf) return schema
  const [some = {}, nothing, ...more] = anyOf
  if (nothing?.type !== 'null' || more.length > 0) throw new Error('an anyOf of another form')
  const inner = resolve(document, some)
  return { ...inner, ...rest, type: [inner.type ?? [], 'null'].flat() }
}

export const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat()

export const isNullable = (schema: Schema): boolean => typesOf(schema).includes('null')

export const nameOf = ({ place, path }: Site): string => [place, ...path].join('.')

/**
 * A value as the service reads it: strings trimmed, and empty ones null where null may be.
 * Names it can't reach are left alone.
 */
export function asRead(document: OpenApi, given: Schema, value: unknown): unknown {
  const schema = resolve(document, given)
  if (typeof value === 'string') {
    const trimmed = value.trim()
    return trimmed === '' && isNullable(schema) ? null : schema.enum ? value : trimmed
  }
  if (Array.isArray(value)) {
    return schema.items ? value.map((item) => asRead(document, schema.items ?? {}, item)) : value
  }
  if (typeof value !== 'object' || value === null || !schema.properties) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const own = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : null
      return [name, own ? asRead(document, own, part) : part]
    }),
  )
}
