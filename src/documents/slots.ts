// How many uploads are in memory at once. Each holds a slot, with the one buffer that its
// file is read into; the rest wait at their sockets, unread. So memory is bounded by the
// number of slots, however many callers there are and however slow they send.
import { unavailable } from '../http/errors.ts'

export type Slot = {
  /** Shared with the scanning thread, so that nothing copies it. Holds an earlier file's bytes. */
  buffer: Buffer
  release(): void
}

export type Slots = {
  /** Waits for a slot. Throws 503 when too many wait or it takes too long. */
  acquire(isGone: AbortSignal): Promise<Slot>
}

export type SlotOptions = { count: number; bytes: number; patienceMs?: number }

/** A caller who waited half a minute had better come again. */
const defaultPatienceMs = 30_000
/** Waiting costs a socket each: for every slot so many. */
const waitersPerSlot = 16

export function createSlots({ count, bytes, patienceMs = defaultPatienceMs }: SlotOptions): Slots {
  const idle: Buffer[] = []
  const waiting = new Set<(buffer: Buffer) => void>()
  let made = 0

  function take(): Buffer | undefined {
    const buffer = idle.pop()
    if (buffer || made === count) return buffer
    made += 1
    return Buffer.from(new SharedArrayBuffer(bytes))
  }

  function slotOf(buffer: Buffer): Slot {
    let isHeld = true
    return {
      buffer,
      release: () => {
        if (!isHeld) return
        isHeld = false
        const [next] = waiting
        if (next) next(buffer)
        else idle.push(buffer)
      },
    }
  }

  return {
    acquire: async (isGone) => {
      const buffer = take()
      if (buffer) return slotOf(buffer)
      if (waiting.size >= count * waitersPerSlot) throw unavailable()
      return slotOf(await wait(waiting, isGone, patienceMs))
    },
  }
}

function wait(
  waiting: Set<(buffer: Buffer) => void>,
  isGone: AbortSignal,
  patienceMs: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(enter)
      clearTimeout(timer)
      isGone.removeEventListener('abort', giveUp)
    }
    const enter = (buffer: Buffer): void => {
      leave()
      resolve(buffer)
    }
    const giveUp = (): void => {
      leave()
      reject(unavailable())
    }
    const timer = setTimeout(giveUp, patienceMs)
    isGone.addEventListener('abort', giveUp)
    if (isGone.aborted) giveUp()
    else waiting.add(enter)
  })
}
