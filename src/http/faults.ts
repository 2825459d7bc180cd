// What zod found, in the form that callers get: where, in words, and its kind.
import type * as z from 'zod'
import type { Fault } from './errors.ts'

type Issue = z.core.$ZodIssue

/** The faults of a part of a request: `body`, `query` or `path`. */
export function faultsOf(error: z.ZodError, place: string): Fault[] {
  return error.issues.flatMap((issue) => faults(issue, place))
}

function faults(issue: Issue, place: string): Fault[] {
  const loc = [place, ...issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      loc: [...loc, key],
      msg: 'unknown property',
      type: 'extra_forbidden',
    }))
  }
  if (issue.code === 'invalid_key') {
    return [{ loc, msg: 'not a usable property name', type: 'invalid_key' }]
  }
  if (issue.code === 'custom') {
    const type: unknown = issue.params?.['type']
    return [{ loc, msg: issue.message, type: typeof type === 'string' ? type : 'value_error' }]
  }
  if (issue.input === undefined && ['invalid_type', 'invalid_value'].includes(issue.code)) {
    return [{ loc, msg: 'required', type: 'missing' }]
  }
  return [{ loc, ...describe(issue) }]
}

function describe(issue: Issue): { msg: string; type: string } {
  switch (issue.code) {
    case 'invalid_type':
      return { msg: `must be ${article(issue.expected)}`, type: `${issue.expected}_type` }
    case 'invalid_value':
      return { msg: `must be one of ${issue.values.map(String).join(', ')}`, type: 'enum' }
    case 'too_big':
      return { msg: `at most ${issue.maximum}`, type: `${sizeOf(issue.origin)}_too_large` }
    case 'too_small':
      return { msg: `at least ${issue.minimum}`, type: `${sizeOf(issue.origin)}_too_small` }
    case 'invalid_format':
      return { msg: `must be ${article(issue.format)}`, type: `${issue.format}_format` }
    default:
      return { msg: issue.message, type: issue.code }
  }
}

const sizeOf = (origin: string): string => (origin === 'array' ? 'list' : 'number')

function article(noun: string): string {
  const name = { int: 'integer', record: 'object', guid: 'uuid', uuid: 'uuid' }[noun] ?? noun
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`
}
