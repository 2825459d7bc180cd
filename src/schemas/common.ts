// Building blocks of the request schemas: form only, nothing that needs a row. Strings
// are trimmed and counted in code points; an empty one in an optional field is null.
import * as z from 'zod'
import { STATE_CODES } from './states.ts'

type TextLimits = { min?: number; max: number }

/** A trimmed string of min (1) to max code points, without U+0000 or lone surrogates. */
export function text({ min = 1, max }: TextLimits) {
  return z
    .string()
    .trim()
    .superRefine((value, context) => {
      const fault = textFault(value, min, max)
      if (fault) context.addIssue({ code: 'custom', ...fault })
    })
    .meta({ minLength: min, maxLength: max })
}

function textFault(value: string, min: number, max: number) {
  if (value.includes('\0') || !value.isWellFormed()) {
    return { message: 'must not hold U+0000 or broken surrogates', params: { type: 'string_characters' } }
  }
  const length = codePoints(value, max)
  if (length < min) return { message: `at least ${min} characters`, params: { type: 'string_too_short' } }
  if (length > max) return { message: `at most ${max} characters`, params: { type: 'string_too_long' } }
  return null
}

// Code points never outnumber UTF-16 units, so most strings need no counting.
const codePoints = (value: string, max: number): number =>
  value.length <= max ? value.length : [...value].length

/** A field that may be left out; null or an empty string counts as null. */
export function optional<T extends z.ZodType>(schema: T) {
  return z
    .preprocess(
      (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
      schema.nullable(),
    )
    .optional()
}

/** The body of a PATCH: it must have a field. */
export const notEmpty = <T extends z.ZodObject>(schema: T) =>
  schema.refine((body) => Object.keys(body).length > 0, {
    message: 'at least one field is needed',
    params: { type: 'missing' },
    // A body of unknown properties alone has been told so.
    when: ({ issues }) => issues.length === 0,
  })

/** A US state, DC or a territory, in either case; upper-case from here on. */
export const state = z
  .string()
  .trim()
  .superRefine((value, context) => {
    const fault = stateFault(value)
    if (fault) context.addIssue({ code: 'custom', ...fault })
  })
  .toUpperCase()
  .meta({
    minLength: 2,
    maxLength: 2,
    examples: ['CA'],
    description: 'US state, DC or territory, two letters.',
  })

function stateFault(value: string) {
  if (!/^[A-Za-z]{2}$/.test(value)) {
    return { message: 'must be 2 letters', params: { type: 'string_length' } }
  }
  return (STATE_CODES as readonly string[]).includes(value.toUpperCase())
    ? null
    : { message: 'must be a US state, DC or a territory', params: { type: 'state' } }
}

export const county = text({ max: 120 }).meta({ examples: ['Los Angeles'] })

// Digits and the marks that people put between them; an optional +1 or 1 before.
const phoneForm = /^(?:\+?1[\s.\-/]*)?\(?([2-9]\d{2})\)?[\s.\-/]*([2-9]\d{2})[\s.\-/]*(\d{4})$/

// Longer than any spelling of ten digits.
const longestPhone = 40

/** A 10-digit US number in any common spelling; `(XXX) XXX-XXXX` from here on. */
export const phone = z
  .string()
  .trim()
  .transform((value, context) => {
    const plain = value.slice(0, longestPhone + 1).replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    const match = value.length <= longestPhone ? phoneForm.exec(plain) : null
    if (match) return `(${match[1]}) ${match[2]}-${match[3]}`
    context.addIssue({
      code: 'custom',
      message: 'must be a 10-digit US phone number',
      params: { type: 'phone' },
    })
    return z.NEVER
  })
  .meta({
    maxLength: longestPhone,
    examples: ['(555) 234-5678'],
    description: 'US number of 10 digits.',
  })

const emailForm =
  /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+\.[^\s\p{C}@<>()[\]\\,;:".]{2,}$/u

/** An e-mail address of at most 254 characters, kept as sent. */
export const email = text({ max: 254 })
  .superRefine((value, context) => {
    const [local = '', domain = ''] = value.split('@')
    const hasEmptyLabel = domain.split('.').includes('') || /^\.|\.$|\.\./.test(local)
    if (!emailForm.test(value) || hasEmptyLabel || local.length > 64) {
      context.addIssue({ code: 'custom', message: 'must be an e-mail address', params: { type: 'email' } })
    }
  })
  .meta({ format: 'email', maxLength: 254, examples: ['jane@example.com'] })

export const externalReference = text({ max: 120 }).meta({
  examples: ['LOS-2026-0001'],
  description: 'Your own reference.',
})

/** A UUID of any version, as in a path. */
export const uuid = z.guid().meta({ format: 'uuid' })

export const productCode = text({ max: 64 }).meta({ examples: ['URAR'] })

export const notes = text({ max: 10_000 }).meta({
  description: 'Free text. Language about a property value is removed before it is saved.',
})

/** A whole number in a query string. */
export function queryInteger({ min, max, fallback }: { min: number; max: number; fallback: number }) {
  return z
    .string()
    .trim()
    .transform((value, context) => {
      const number = /^-?\d{1,9}$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return number
      context.addIssue({
        code: 'custom',
        message: `must be a whole number from ${min} to ${max}`,
        params: { type: 'int_range' },
      })
      return z.NEVER
    })
    .optional()
    .transform((value) => value ?? fallback)
    .meta({ type: 'integer', minimum: min, maximum: max, default: fallback })
}
