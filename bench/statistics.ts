// What the benches make of their measurements.
/** Of values in any order. */
export const median = (values: number[]): number =>
  percentile(values.toSorted((a, b) => a - b), 0.5)

/** Of values in rising order; a share of 0.95 is the 95th. */
export const percentile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export const round = (value: number): number => Math.round(value * 100) / 100
