// What a client of a released OpenAPI document would trip over in another one. What is
// sent may only get wider and what is answered only narrower: a client must go on being
// understood, and go on understanding.

type Json = Record<string, any>
type Side = 'sent' | 'answered'
type Walk = { before: Json; after: Json; changes: string[] }

/** Every breaking change from one document to another, in words, with its place. */
export function breakingChanges(before: Json, after: Json): string[] {
  const walk = { before, after, changes: [] }
  compareItems(walk, before['paths'], after['paths'], '')
  compareItems(walk, before['webhooks'] ?? {}, after['webhooks'] ?? {}, 'webhook ')
  return walk.changes
}

function compareItems(walk: Walk, before: Json, after: Json, kind: string): void {
  for (const [path, item] of Object.entries<Json>(before)) {
    for (const [method, operation] of Object.entries<Json>(item)) {
      const place = `${kind}${method.toUpperCase()} ${path}`
      const now = after[path]?.[method]
      if (!now) walk.changes.push(`${place}: removed`)
      else compareOperations(walk, operation, now, place, kind === '' ? 'sent' : 'answered')
    }
  }
}

function compareOperations(walk: Walk, before: Json, after: Json, place: string, side: Side): void {
  const { changes } = walk
  const scope = 'x-required-scope'
  if (before[scope] !== after[scope]) changes.push(`${place}: needs the scope ${after[scope]}`)
  if (before['operationId'] !== after['operationId']) changes.push(`${place}: another operationId`)
  compareParameters(walk, before['parameters'] ?? [], after['parameters'] ?? [], place, side)
  compareContent(walk, before['requestBody'] ?? {}, after['requestBody'] ?? {}, `${place} body`, side)
  if (!before['requestBody']?.required && after['requestBody']?.required) {
    changes.push(`${place} body: is required`)
  }
  for (const [status, response] of Object.entries<Json>(before['responses'])) {
    const now = after['responses'][status]
    if (!now) changes.push(`${place} ${status}: removed`)
    else compareResponses(walk, response, now, `${place} ${status}`)
  }
}

function compareParameters(
  walk: Walk,
  before: Json[],
  after: Json[],
  place: string,
  side: Side,
): void {
  const find = (all: Json[], one: Json) =>
    all.find((other) => other['name'] === one['name'] && other['in'] === one['in'])
  for (const parameter of before) {
    const now = find(after, parameter)
    const at = `${place} ${parameter['in']} ${parameter['name']}`
    if (!now) walk.changes.push(`${at}: removed`)
    else compareSchemas(walk, parameter['schema'], now['schema'], at, side)
  }
  if (side === 'answered') return
  for (const parameter of after) {
    if (!parameter['required'] || find(before, parameter)?.['required']) continue
    walk.changes.push(`${place} ${parameter['in']} ${parameter['name']}: is required`)
  }
}

function compareResponses(walk: Walk, before: Json, after: Json, place: string): void {
  for (const name of Object.keys(before['headers'] ?? {})) {
    if (!after['headers']?.[name]) walk.changes.push(`${place} header ${name}: removed`)
  }
  compareContent(walk, before, after, place, 'answered')
}

function compareContent(walk: Walk, before: Json, after: Json, place: string, side: Side): void {
  for (const [type, { schema }] of Object.entries<Json>(before['content'] ?? {})) {
    const now = after['content']?.[type]
    if (!now) walk.changes.push(`${place} ${type}: removed`)
    else compareSchemas(walk, schema, now.schema, place, side)
  }
}

/** Least and greatest: which way is narrower. */
const limits = {
  minLength: 'least', minimum: 'least', minItems: 'least', minProperties: 'least',
  maxLength: 'greatest', maximum: 'greatest', maxItems: 'greatest', maxProperties: 'greatest',
} as const

function compareSchemas(walk: Walk, one: Json, other: Json, place: string, side: Side): void {
  const before = resolve(walk.before, one)
  const after = resolve(walk.after, other)
  const report = (what: string) => walk.changes.push(`${place}: ${what}`)
  // What is narrower from one to the other must not be for what is sent, and the other way.
  const [wide, narrow] = side === 'sent' ? [before, after] : [after, before]

  const lost = typesOf(wide).filter((type) => !typesOf(narrow).includes(type))
  if (lost.length > 0) report(side === 'sent' ? `no longer takes ${lost}` : `may be ${lost}`)
  const values = valuesOf(narrow)
  const outside = (valuesOf(wide) ?? [undefined]).filter((value) => values?.includes(value) === false)
  // New codes come with new rules; programs take an unknown one by its status.
  const isOpen = side === 'answered' && /\.(error_)?code$/.test(place)
  if (outside.length > 0 && !isOpen) {
    report(side === 'sent' ? `no longer takes ${outside}` : `may be ${outside}`)
  }
  for (const [name, kind] of Object.entries(limits)) {
    if (isTighter(wide[name], narrow[name], kind)) report(`${name} is ${after[name] ?? 'gone'}`)
  }
  for (const name of ['pattern', 'format']) {
    if (narrow[name] !== undefined && wide[name] !== narrow[name]) {
      report(`${name} is ${after[name] ?? 'gone'}`)
    }
  }
  compareProperties(walk, before, after, place, side)
  if (before['items'] && after['items']) {
    compareSchemas(walk, before['items'], after['items'], `${place}[]`, side)
  }
  compareBranches(walk, before, after, place, side)
}

function isTighter(wide: unknown, narrow: unknown, kind: 'least' | 'greatest'): boolean {
  if (typeof narrow !== 'number') return false
  if (typeof wide !== 'number') return kind === 'greatest' || narrow > 0
  return kind === 'least' ? narrow > wide : narrow < wide
}

function compareProperties(walk: Walk, before: Json, after: Json, place: string, side: Side): void {
  const [known, now] = [before['properties'] ?? {}, after['properties'] ?? {}]
  for (const [name, schema] of Object.entries<Json>(known)) {
    if (now[name]) compareSchemas(walk, schema, now[name], `${place}.${name}`, side)
    else walk.changes.push(`${place}.${name}: removed`)
  }
  const [first, second] = side === 'sent' ? [before, after] : [after, before]
  for (const name of (second['required'] ?? []) as string[]) {
    // A removed one has been told.
    if (first['required']?.includes(name) || (side === 'answered' && !now[name])) continue
    walk.changes.push(`${place}.${name}: ${side === 'sent' ? 'is required' : 'may be missing'}`)
  }
}

function compareBranches(walk: Walk, before: Json, after: Json, place: string, side: Side): void {
  for (const kind of ['anyOf', 'oneOf', 'allOf']) {
    const [some, now]: [Json[], Json[]] = [before[kind] ?? [], after[kind] ?? []]
    if (some.length !== now.length) walk.changes.push(`${place}: another number of ${kind}`)
    else some.forEach((one, index) => compareSchemas(walk, one, now[index] ?? {}, place, side))
  }
}

function resolve(document: Json, schema: Json): Json {
  const reference: string | undefined = schema?.['$ref']
  if (reference === undefined) return schema ?? {}
  const parts = reference.slice(2).split('/')
  return resolve(document, parts.reduce((part, key) => part[key], document))
}

const anyType = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

const typesOf = ({ type, anyOf, oneOf, allOf }: Json): string[] => {
  if (type === undefined) return anyOf || oneOf || allOf ? [] : anyType
  const types: string[] = [type].flat()
  return types.includes('number') ? [...types, 'integer'] : types
}

const valuesOf = (schema: Json): unknown[] | undefined =>
  'const' in schema ? [schema['const']] : schema['enum']
