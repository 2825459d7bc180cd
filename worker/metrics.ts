// What the worker can say about its work: counters and a histogram of this process, and
// the queue as the database sees it.
import { type ErrorClass, errorClasses } from './delivery/post.ts'
import type { AttemptRecord, Claim } from './outbox.ts'
import type { QueueMetrics } from './upkeep.ts'

export type AttemptOutcome = 'delivered' | ErrorClass

/** Upper bounds in seconds: from a loopback's milliseconds to an hour of retries. */
export const delayBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600]

export type WebhookMetrics = {
  queue: QueueMetrics
  /** Attempts of this process since it started. */
  attempts: Record<AttemptOutcome, number>
  /** Seconds from an event's transaction to its delivery, of first successes. */
  delay: {
    bounds: readonly number[]
    /** Deliveries up to each bound, and in the last place all. */
    counts: number[]
    sum: number
  }
}

export type Meter = {
  note(claim: Claim, made: AttemptRecord): void
  read(): Omit<WebhookMetrics, 'queue'>
}

export function createMeter(): Meter {
  const outcomes: AttemptOutcome[] = ['delivered', ...errorClasses]
  const attempts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<
    AttemptOutcome,
    number
  >
  const counts = [...delayBounds.map(() => 0), 0]
  let sum = 0

  return {
    note: (claim, made) => {
      attempts[made.error_class ?? 'delivered'] += 1
      if (made.error_class !== null || made.is_replay || made.is_test) return
      const arrived = Date.parse(made.started_at) + made.duration_ms
      const seconds = (arrived - Date.parse(claim.event_time)) / 1000
      sum += seconds
      for (const [index, bound] of delayBounds.entries()) {
        if (seconds <= bound) counts[index] = (counts[index] ?? 0) + 1
      }
      counts[delayBounds.length] = (counts[delayBounds.length] ?? 0) + 1
    },
    read: () => ({
      attempts: { ...attempts },
      delay: { bounds: delayBounds, counts: [...counts], sum },
    }),
  }
}
