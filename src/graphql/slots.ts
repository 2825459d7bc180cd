// How many queries of analysts run at once. The rest wait in a short queue, and who finds
// it full, or waits too long, is told to come back: the database is the public API's
// before it is theirs.
import { availableParallelism } from 'node:os'
import { unavailable } from '../http/errors.ts'

/** One core stays the API's, where there is more than one to share. */
export const slotsOfThisMachine = (): number =>
  Math.min(4, Math.max(2, availableParallelism() - 1))

const queueLength = 16
const patienceMs = 5000

export type Slots = {
  /** Runs work when it is its turn. Throws 503 when that takes too long. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createSlots(
  count: number,
  options: { queueLength?: number; patienceMs?: number } = {},
): Slots {
  const longest = options.queueLength ?? queueLength
  const patience = options.patienceMs ?? patienceMs
  const waiting: (() => void)[] = []
  let free = count

  async function take(): Promise<void> {
    if (free > 0) {
      free -= 1
      return
    }
    if (waiting.length >= longest) throw unavailable()
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1)
        reject(unavailable())
      }, patience)
      const go = (): void => {
        clearTimeout(timer)
        resolve()
      }
      waiting.push(go)
    })
  }

  function give(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return {
    run: async (work) => {
      await take()
      try {
        return await work()
      } finally {
        give()
      }
    },
  }
}
