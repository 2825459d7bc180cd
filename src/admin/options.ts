// Values of options that several commands take. Form only: what needs a row is SQL's.
import { usageError } from './errors.ts'

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }
// A century: what lies further away is a slip of the finger.
const maxSeconds = 100 * 365 * 86_400

/** Seconds of a span such as 30s, 15m, 24h or 90d. */
export function seconds(option: string, text: string, least = 1): number {
  const [, number = '', unit = ''] = /^(\d{1,10})([smhd])$/.exec(text.trim()) ?? []
  const span = Number(number) * (unitSeconds[unit] ?? Number.NaN)
  if (number === '' || !(span >= least && span <= maxSeconds)) {
    throw usageError(`${option} takes a span such as 30s, 15m, 24h or 90d, not "${text}".`)
  }
  return span
}

/** A comma-separated list of some of the allowed words, or `all` of them. */
export function someOf<Word extends string>(
  option: string,
  text: string,
  allowed: readonly Word[],
): Word[] {
  const given = words(text)
  const unknown = given.filter((word) => word !== 'all' && !allowed.includes(word as Word))
  if (given.length === 0 || unknown.length > 0) {
    const fault = unknown.length > 0 ? ` "${unknown.join(', ')}" is unknown;` : ''
    throw usageError(`${option}:${fault} give all, or some of ${allowed.join(',')}.`)
  }
  return given.includes('all') ? [...allowed] : allowed.filter((word) => given.includes(word))
}

/** The words of a comma-separated list, each once. */
export const words = (text: string): string[] => [
  ...new Set(text.split(',').map((word) => word.trim()).filter((word) => word !== '')),
]

/** One of the allowed words. */
export function oneOf<Word extends string>(
  option: string,
  text: string,
  allowed: readonly Word[],
): Word {
  const word = allowed.find((candidate) => candidate === text)
  if (word === undefined) {
    throw usageError(`${option} is one of ${allowed.join(', ')}, not "${text}".`)
  }
  return word
}

/** A UUID as an argument. */
export function id(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) {
    throw usageError(`"${text}" is not an id: ids are UUIDs, as the list command shows them.`)
  }
  return text.toLowerCase()
}

const isoTime =
  /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i

/** A time: ISO 8601, in UTC unless it says otherwise, or a span ago such as 24h. */
export function time(option: string, text: string): Date {
  const given = text.trim()
  if (/^\d{1,10}[smhd]$/.test(given)) return new Date(Date.now() - 1000 * seconds(option, given))
  const [, clock, , , zone] = isoTime.exec(given) ?? []
  const parsed = new Date(clock !== undefined && zone === undefined ? `${given}Z` : given)
  if (!isoTime.test(given) || Number.isNaN(parsed.getTime())) {
    throw usageError(
      `${option} takes a time such as 2026-11-01T09:00Z, or a span ago such as 24h, not "${text}".`,
    )
  }
  return parsed
}
