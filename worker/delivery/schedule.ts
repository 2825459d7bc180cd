// When the next attempt is made. The delays grow from seconds, for a restart of the
// receiver, over minutes and hours, for an outage, to a day, for a weekend on call:
// ten attempts within about three days.
const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Delay before each attempt after the first, in milliseconds. */
export const delays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** Share by which a delay varies, so that what failed together doesn't come back together. */
const jitter = 0.2

/** A receiver may put us off for a day; more is a mistake. */
const longestRetryAfter = 24 * hour

/**
 * Milliseconds until the next attempt after `attempts` failed ones, or null when there is
 * none. `random` is in [0, 1).
 */
export function retryDelay(
  attempts: number,
  retryAfterMs: number | null,
  random: number = Math.random(),
): number | null {
  const delay = delays[attempts - 1]
  if (delay === undefined) return null
  const varied = delay * (1 - jitter + 2 * jitter * random)
  return Math.round(Math.max(varied, retryAfterMs ?? 0))
}

/** The wait that a Retry-After header asks for: seconds or a date. Null when it says nothing. */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * second : dateOf(text) - now
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), longestRetryAfter)
}

// Date.parse takes almost anything ("12 apples"); an HTTP date begins with a day's name.
const dateOf = (text: string): number =>
  /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN
