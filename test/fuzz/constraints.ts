// Every rule that the OpenAPI document states of a place, with values on both sides of it.
import { type Schema, type Site, isNullable, nameOf, typesOf } from './schema.ts'
import {
  freshEmail,
  matchesOf,
  mismatchesOf,
  ofType,
  textsOf,
  validOf,
} from './values.ts'

/** The value of a place that is left out. */
export const absent = Symbol('absent')

/** accepted: the schema gate lets it through; replaced: so, but as another value. */
export type Verdict = 'accepted' | 'refused' | 'replaced'

export type Probe = {
  site: Site
  /** The operation, the place and the keyword. */
  constraint: string
  value: unknown
  verdict: Verdict
}

type Values = Partial<Record<Verdict, unknown[]>>

type Context = {
  site: Site
  /** The property's; an item has its list's. */
  name: string
  /** A valid value for a place, a fresh one each time. */
  valid: (site: Site) => unknown
}

// What describes and doesn't bind; the properties and items are places of their own, and
// what is required is probed there.
const annotations = new Set([
  'default', 'deprecated', 'description', 'example', 'examples', 'items', 'properties',
  'required', 'title',
])

/** The keywords of a place that have two sides. */
export function constraintsOf({ place, path, schema, isRequired, isText }: Site): string[] {
  const keywords = Object.entries(schema)
    .filter(([keyword]) => !annotations.has(keyword) && !keyword.startsWith('x-'))
    // Every text is text, and what is open has nothing beyond.
    .filter(([keyword]) => !(keyword === 'type' && isText && !typesOf(schema).includes('integer')))
    .filter(([keyword, value]) => !(keyword === 'additionalProperties' && value === true))
    .map(([keyword]) => keyword)
  const isNamed = path.length > 0 && path.at(-1) !== 0
  return isRequired && isNamed && place !== 'path' ? [...keywords, 'required'] : keywords
}

/** Probes of each constraint of a place. Throws for a keyword that nothing here knows. */
export function probesOf(operation: string, site: Site, valid: Context['valid']): Probe[] {
  const name = String(site.path.findLast((part) => typeof part === 'string') ?? '')
  return [...constraintsOf(site), 'presence'].flatMap((keyword) => {
    const values = probes[keyword]?.({ site, name, valid })
    if (!values) throw new Error(`nothing probes ${keyword} of ${operation} ${nameOf(site)}`)
    return Object.entries(values).flatMap(([verdict, some]) =>
      some.map((value) => ({
        site,
        constraint: nameOfConstraint(operation, site, keyword),
        value,
        verdict: verdict as Verdict,
      })),
    )
  })
}

export const nameOfConstraint = (operation: string, site: Site, keyword: string): string =>
  `${operation} ${nameOf(site)} ${keyword}`

const probes: Record<string, (context: Context) => Values> = {
  type: ({ site, name, valid }) => ({
    accepted: site.isText
      ? [String(validOf(name, site.schema)), '7', ' 7 ']
      : [valid(site), ...(isNullable(site.schema) ? [null] : [])],
    refused: site.isText
      ? ['text', '1.5', '1e1', '0x1', '7a', '٧', 'true', 'null']
      : Object.entries(ofType).flatMap(([type, value]) => (hasType(site.schema, type) ? [] : [value])),
  }),
  enum: ({ site }) => {
    const values = site.schema.enum ?? []
    const texts = values.filter((value): value is string => typeof value === 'string')
    const strangers = values.includes(1) ? [0, 2, -1] : ['no_such_value', `${texts[0]}s`]
    return { accepted: values, refused: [...strangers, ...texts.map((text) => text.toUpperCase())] }
  },
  minLength: ({ site, name }) => {
    const min = limitOf(site, 'minLength')
    return {
      accepted: name === 'email' ? ['a@b.co'] : textsOf(name, min),
      refused: min > 1 ? ['C'] : [],
      // Nothing is nothing, where nothing may be.
      [mayBeEmpty(site) ? 'replaced' : 'refused']: ['', '  '],
    }
  },
  maxLength: ({ site, name }) => {
    const max = limitOf(site, 'maxLength')
    const isState = name === 'state'
    return {
      accepted: textsOf(name, max),
      refused: isState ? ['CAL'] : [...textsOf(name, max + 1), 'x'.repeat(max + 1)],
    }
  },
  pattern: ({ site }) => {
    const pattern = String(site.schema['pattern'])
    // An X-Request-Id that doesn't fit is replaced, never refused.
    const other = nameOf(site) === 'header.X-Request-Id' ? 'replaced' : 'refused'
    return { accepted: matchesOf(pattern), [other]: mismatchesOf(pattern) }
  },
  format: ({ site, valid }) => {
    const { accepted = [], refused = [] } = formats[String(site.schema['format'])] ?? {}
    return { accepted: [valid(site), ...accepted], refused }
  },
  minimum: ({ site }) => bound(site, 'minimum', -1),
  maximum: ({ site }) => bound(site, 'maximum', 1),
  minItems: (context) => ({
    accepted: [list(context, limitOf(context.site, 'minItems'))],
    refused: [list(context, limitOf(context.site, 'minItems') - 1)],
  }),
  maxItems: (context) => ({
    accepted: [list(context, limitOf(context.site, 'maxItems'))],
    refused: [list(context, limitOf(context.site, 'maxItems') + 1)],
  }),
  additionalProperties: ({ site, valid }) => ({
    accepted: [valid(site)],
    refused: ['no_such_property', 'toString', '__proto__', 'Name', ' name', ''].map((name) =>
      withProperty(valid(site) as object, name),
    ),
  }),
  required: ({ site, valid }) => ({ accepted: [valid(site)], refused: [absent] }),
  presence: ({ site }) => ({ accepted: site.isRequired ? [] : [absent] }),
}

const formats: Record<string, Values> = {
  email: {
    accepted: [`a.b+c_${freshEmail(16)}`, `${'l'.repeat(64)}@b.co`],
    refused: [
      'a', 'a@b', '@b.co', 'a@', 'a@.co', 'a@b..co', 'a..b@c.co', '.a@b.co', 'a.@b.co', 'a b@c.co',
      'a@b@c.co', 'a@b.c', `${'l'.repeat(65)}@b.co`, 'Ann <a@b.co>', 'a@b.co,c@d.co',
    ],
  },
  uuid: {
    refused: [
      'a', '0', '019a4c1e-7d2b-7c3a-9f00-5b8e2d1c4a6', '019a4c1e-7d2b-7c3a-9f00-5b8e2d1c4a600',
      '019a4c1e7d2b7c3a9f005b8e2d1c4a60', '{019a4c1e-7d2b-7c3a-9f00-5b8e2d1c4a60}',
      'g19a4c1e-7d2b-7c3a-9f00-5b8e2d1c4a60', 'urn:uuid:019a4c1e-7d2b-7c3a-9f00-5b8e2d1c4a60',
    ],
  },
  // Text where a file belongs.
  binary: { refused: ['text', ''] },
}

const limitOf = ({ schema }: Site, keyword: string): number => Number(schema[keyword])

function bound(site: Site, keyword: string, beyond: number): Values {
  const limit = limitOf(site, keyword)
  const sent = (value: number) => (site.isText ? String(value) : value)
  return {
    accepted: [sent(limit), sent(limit - beyond)],
    refused: [sent(limit + beyond), sent(limit + beyond * 1_000_000)],
  }
}

function list({ site, valid }: Context, length: number): unknown[] {
  const item = { ...site, path: [...site.path, 0], schema: site.schema.items ?? {} }
  return Array.from({ length }, () => valid(item))
}

// An assignment to __proto__ would be lost.
const withProperty = (value: object, name: string): unknown =>
  Object.defineProperty({ ...value }, name, { value: 1, enumerable: true, configurable: true })

const hasType = (schema: Schema, type: string): boolean =>
  typesOf(schema).includes(type) || (type === 'integer' && typesOf(schema).includes('number'))

const mayBeEmpty = (site: Site): boolean =>
  isNullable(site.schema) || (site.place === 'query' && !site.isRequired)
