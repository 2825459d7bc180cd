// How much of the worker one endpoint may hold. A lane is what a process knows of an
// endpoint: how many requests run, how many may, and whether it is worth trying at all.
// An endpoint that answers quickly earns room; one that hangs loses it, down to a single
// trial request with growing pauses in between (a circuit breaker).
import type { Claim } from '../outbox.ts'

export type Lane = {
  endpointId: string
  /** Claimed, not yet being sent. */
  ready: Claim[]
  inFlight: number
  /** How many requests may run at once. */
  room: number
  /** There may be more to claim than is in `ready`. */
  isRung: boolean
  isClaiming: boolean
  /** Time-outs since the last answer. */
  timeouts: number
  /** Nothing is sent before this time, in milliseconds. */
  pausedUntil: number
  usedAt: number
}

/** Unknown endpoints begin here: what a hanging one can hold at once. */
const firstRoom = 4
/** Enough for 300 deliveries a second to a receiver that takes 100 ms. */
export const mostRoom = 32
/** An answer that takes longer earns no room. */
const quickMs = 1000
/** Time-outs in a row after which an endpoint gets a pause. */
const tolerated = 5
const firstPauseMs = 15_000
/** A dead endpoint then holds one request for 15 s of 75; one that is back waits no longer. */
const longestPauseMs = 60_000

export const openLane = (endpointId: string, now: number): Lane => ({
  endpointId,
  ready: [],
  inFlight: 0,
  room: firstRoom,
  isRung: false,
  isClaiming: false,
  timeouts: 0,
  pausedUntil: 0,
  usedAt: now,
})

export const isPaused = (lane: Lane, now: number): boolean => lane.pausedUntil > now

// Claims wait in memory, so that claiming costs little each: few for an endpoint that
// nobody knows yet, many for one that is quick.
const capacity = (room: number): number => room ** 2
export const firstWant = capacity(firstRoom)

/** Deliveries that a lane can take on now. */
export const wantOf = (lane: Lane, now: number): number =>
  isPaused(lane, now) ? 0 : Math.max(capacity(lane.room) - lane.ready.length, 0)

/** Whether it is time to claim more: when half of it is used up. */
export const isLow = (lane: Lane): boolean => lane.ready.length <= capacity(lane.room) / 2

/** Learns from an attempt that was answered, or not, after some time. */
export function learn(
  lane: Lane,
  attempt: { isTimeout: boolean; isSuccess: boolean; durationMs: number },
  now: number,
): void {
  if (attempt.isTimeout) return learnTimeout(lane, now)
  lane.timeouts = 0
  lane.pausedUntil = 0
  const isQuick = attempt.isSuccess && attempt.durationMs <= quickMs
  if (isQuick || lane.room < firstRoom) lane.room = Math.min(lane.room + 1, mostRoom)
  else if (lane.room > firstRoom) lane.room -= 1
}

function learnTimeout(lane: Lane, now: number): void {
  lane.room = 1
  // Requests that ran together time out together: they are one more reason, not many.
  if (isPaused(lane, now)) return
  lane.timeouts += 1
  if (lane.timeouts < tolerated) return
  const pause = firstPauseMs * 2 ** Math.min(lane.timeouts - tolerated, 10)
  lane.pausedUntil = now + Math.min(pause, longestPauseMs)
}
