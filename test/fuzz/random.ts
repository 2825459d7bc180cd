// Pseudo-random choices that a printed seed repeats.

export type Random = {
  /** A whole number from 0 up to, but not, the limit. */
  below(limit: number): number
  pick<T>(values: readonly T[]): T
  /** True in so many of a hundred cases. */
  percent(chance: number): boolean
}

// mulberry32: short, and even enough for choosing tests.
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    percent: (chance) => below(100) < chance,
  }
}
