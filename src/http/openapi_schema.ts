// Makes what zod says of a schema what a reader of JSON Schema expects: no patterns
// that repeat a format, no limits of JavaScript, null as a type, examples kept.
import * as z from 'zod'
import type { CreateDocumentOptions } from 'zod-openapi'

type JsonObject = Record<string, unknown>

/**
 * Brings back the examples and the default of an input that zod transforms. It leaves
 * them out, but what a schema's meta says is about the input.
 */
export const keepMeta: Exclude<CreateDocumentOptions['override'], undefined> = ({
  jsonSchema,
  zodSchema,
  io,
}) => {
  const meta = io === 'input' ? z.globalRegistry.get(zodSchema) : undefined
  if (meta?.examples) jsonSchema.examples ??= meta.examples
  if (meta?.['default'] !== undefined) jsonSchema.default ??= meta['default']
}

// What stands below these is data, not schema.
const dataKeys = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-signed-example'])

/** A copy of a document with every schema in it made plain. */
export function tidy<T>(part: T): T {
  if (Array.isArray(part)) return part.map((item: unknown) => tidy(item)) as T
  if (typeof part !== 'object' || part === null) return part
  return plain(
    Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, dataKeys.has(key) ? value : tidy(value)]),
    ),
  ) as T
}

function plain(schema: JsonObject): JsonObject {
  const { propertyNames, minimum, maximum, pattern, ...rest } = schema
  const names = propertyNames as JsonObject | undefined
  const hasFormat = ['uuid', 'date', 'date-time', 'email'].includes(String(rest['format']))
  return joinNull({
    ...rest,
    ...(pattern === undefined || hasFormat ? {} : { pattern }),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(names === undefined || isAnyString(names) ? {} : { propertyNames }),
    ...(rest['type'] === 'number' && Number.isInteger(rest['const']) ? { type: 'integer' } : {}),
  })
}

const isAnyString = (schema: JsonObject): boolean =>
  schema['type'] === 'string' && Object.keys(schema).length === 1

// `anyOf: [{ type: string }, { type: null }]` is `type: [string, null]`.
function joinNull(schema: JsonObject): JsonObject {
  const { anyOf, ...outer } = schema
  const [some, nothing, ...more] = (anyOf ?? []) as JsonObject[]
  if (typeof some?.['type'] !== 'string' || nothing?.['type'] !== 'null' || more.length > 0) {
    return schema
  }
  const { type, enum: values, const: only, ...inner } = some
  const allowed = (values as unknown[] | undefined) ?? (only === undefined ? undefined : [only])
  return {
    ...inner,
    ...outer,
    type: [type, 'null'],
    ...(allowed ? { enum: [...allowed, null] } : {}),
  }
}
