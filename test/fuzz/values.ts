// Values for a place of a request: valid ones of a wanted length, and broken ones that
// somebody's client, or somebody's enemy, might send.
import fc from 'fast-check'
import type { Schema } from './schema.ts'
import { typesOf } from './schema.ts'

let serial = 0

/** A number that no other value of this run has. */
export const fresh = (): number => (serial += 1)

let character = 0x4e00

/** A text of so many characters that no other request has sent. */
export function freshText(length: number): string {
  const tag = `${fresh()}x`
  if (length >= tag.length) return tag.padEnd(length, 'x')
  // One of 20,000 characters, and so as good as nobody else's.
  character = character === 0x9bff ? 0x4e00 : character + 1
  return String.fromCodePoint(character).repeat(length)
}

/** As many characters, each of them two UTF-16 units. */
const astralText = (length: number): string => [...freshText(length)].map(() => '\u{1f3e0}').join('')

/** A valid address of so many characters, at least 16. */
export function freshEmail(length: number): string {
  const local = `e${fresh()}`
  const labels = []
  // A label has at most 63 characters; the dot after it counts here.
  for (let left = length - local.length - '@co'.length; left > 1; left -= 61) {
    labels.push('d'.repeat(Math.min(60, left - 1)))
  }
  return `${local}@${labels.join('.')}.co`
}

/** Texts of a length that a name's own rule takes; other names take any. */
type TextOfLength = (length: number) => string[]

const ofLength: Record<string, TextOfLength> = {
  // Products that the tests' tenant has.
  product_code: (length) => ['P'.repeat(length)],
  state: () => ['CA', 'ca'],
  // Any white space may stand between the digits.
  phone: (length) => [`626${' '.repeat(Math.max(0, length - 10))}5550123`],
  email: (length) => [freshEmail(length)],
  'Idempotency-Key': (length) => [`${fresh()}`.padEnd(length, 'k').slice(0, length)],
  website: (length) => [`https://${'w'.repeat(length - 8)}`],
}

/** Valid texts of so many characters for a property. */
export const textsOf = (name: string, length: number): string[] =>
  (length > 8 || name !== 'website' ? ofLength[name]?.(length) : undefined) ?? [
    freshText(length),
    ...(length > 1 ? [astralText(length)] : []),
  ]

/** A valid value for a property, null aside. */
export function validOf(name: string, schema: Schema): unknown {
  if (schema.enum) return schema.enum.find((value) => value !== null)
  if (name === 'state') return 'CA'
  if (name === 'county') return 'Los Angeles'
  if (name === 'phone') return '(626) 555-0123'
  if (name === 'email') return freshEmail(20)
  if (name === 'product_code') return 'P'
  if (name === 'metadata') return { a: [1, null, { b: 'c' }] }
  const [type] = typesOf(schema)
  if (type === 'integer') return Number(schema['minimum'] ?? 0)
  if (type === 'boolean') return true
  if (type === 'object') return {}
  if (type === 'array') return []
  const { pattern } = schema
  return typeof pattern === 'string' ? matchesOf(pattern)[0] : freshText(12)
}

/** Texts that a pattern takes. */
export const matchesOf = (pattern: string): string[] =>
  fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 8, seed: 1 })

const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(6)

/** Texts that a pattern refuses, some of them only just. */
export function mismatchesOf(pattern: string): string[] {
  const form = new RegExp(pattern)
  const longest = [...Array(150).keys()].findLast((length) => form.test(letters.slice(0, length)))
  return ['A b', '-', 'a/b', 'ä', letters.slice(0, (longest ?? 0) + 1)].filter(
    (text) => !form.test(text),
  )
}

/** A value of each JSON type. */
export const ofType: Record<string, unknown> = {
  string: 'text',
  integer: 7,
  number: 1.5,
  boolean: true,
  object: {},
  array: [],
  null: null,
}

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value }
  return value
}

/** What must break nothing, wherever it stands. */
export const hostile: unknown[] = [
  null, true, false, 0, -0, 1, -1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324,
  JSON.rawJSON('1e400'), JSON.rawJSON('9007199254740993'), JSON.rawJSON('1.0'),
  JSON.rawJSON('1E2'), JSON.rawJSON('12345678901234567890.123456789'),
  '', ' ', '\u3000', 'a\0b', '\ud800', 'a\udc00', '\u{10ffff}', '\ufeffa', '\u202eabc', 'e\u0301',
  'null', 'NaN', '1', '-1', '0x10', '%', '_', '\\', '\'', '"', '$1', '{{a}}', '${a}',
  '\'; drop table app.quotes; --', '<script>alert(1)</script>', '../../etc/passwd', '\r\nX-A: b',
  'x'.repeat(20_000), '\u{1f3e0}'.repeat(5_000), 'ﷺ'.repeat(5_000), 'ẞ', 'İ', 'ﬁ',
  '00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'urn:uuid:00000000-0000-4000-8000-000000000000', '{00000000-0000-4000-8000-000000000000}',
  '2026-02-30', '2026-11-21T00:00:00Z', 'infinity', 'a@b', 'a@b.co', '(626) 555-0123', '+1',
  [], [null], [[]], [{}], ['a', 'a'], {}, { a: 1 }, { length: 1 }, { toString: null },
  JSON.parse('{"__proto__":{"a":1}}'), { constructor: { prototype: {} } }, nested(70), nested(500),
  Array.from({ length: 500 }, (_, index) => index),
]
