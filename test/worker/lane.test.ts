import { describe, expect, it } from '@jest/globals'
import { type Lane, isPaused, learn, mostRoom, openLane, wantOf } from '../../worker/delivery/lane.ts'

const at = 1_000_000
const lane = (parts: Partial<Lane> = {}): Lane => ({ ...openLane('endpoint', at), ...parts })
const answered = { isTimeout: false, isSuccess: true, durationMs: 20 }
const slow = { isTimeout: false, isSuccess: true, durationMs: 5000 }
const failed = { isTimeout: false, isSuccess: false, durationMs: 20 }
const timedOut = { isTimeout: true, isSuccess: false, durationMs: 15_000 }

const times = (count: number, work: () => void): void => {
  for (let n = 0; n < count; n += 1) work()
}

describe('an endpoint that answers quickly', () => {
  it('earns room, up to a limit', () => {
    const quick = lane()
    const first = quick.room
    learn(quick, answered, at)
    expect(quick.room).toBe(first + 1)
    times(1000, () => learn(quick, answered, at))
    expect(quick.room).toBe(mostRoom)
  })
})

describe('an endpoint that is slow or fails', () => {
  it.each([slow, failed])('loses what it earned, and keeps its first room', (attempt) => {
    const first = lane().room
    const earned = lane({ room: mostRoom })
    times(1000, () => learn(earned, attempt, at))
    expect(earned.room).toBe(first)
    expect(isPaused(earned, at)).toBe(false)
  })
})

describe('an endpoint that hangs', () => {
  it('is left one request at a time', () => {
    const hanging = lane({ room: mostRoom })
    learn(hanging, timedOut, at)
    expect(hanging.room).toBe(1)
    expect(wantOf(hanging, at)).toBe(1)
  })

  it('is paused after some time-outs in a row, and asks for nothing meanwhile', () => {
    const hanging = lane()
    times(4, () => learn(hanging, timedOut, at))
    expect(isPaused(hanging, at)).toBe(false)
    learn(hanging, timedOut, at)
    expect(isPaused(hanging, at)).toBe(true)
    expect(wantOf(hanging, at)).toBe(0)
    expect(isPaused(hanging, at + 15_000)).toBe(false)
  })

  it('is paused for longer each time its trial fails, up to a minute', () => {
    const hanging = lane()
    times(5, () => learn(hanging, timedOut, at))
    const pauses = []
    let now = at
    for (let n = 0; n < 6; n += 1) {
      pauses.push((hanging.pausedUntil - now) / 1000)
      now = hanging.pausedUntil
      learn(hanging, timedOut, now)
    }
    expect(pauses).toEqual([15, 30, 60, 60, 60, 60])
  })

  it('is paused once for requests that hang side by side', () => {
    const hanging = lane({ room: mostRoom })
    times(mostRoom, () => learn(hanging, timedOut, at))
    expect(hanging.pausedUntil).toBe(at + 15_000)
  })

  it('is back with its first answer', () => {
    const hanging = lane()
    times(5, () => learn(hanging, timedOut, at))
    learn(hanging, answered, at + 30_000)
    expect(isPaused(hanging, at + 30_000)).toBe(false)
    expect(hanging.room).toBe(2)
    times(4, () => learn(hanging, timedOut, at + 30_000))
    expect(isPaused(hanging, at + 30_000)).toBe(false)
  })
})
