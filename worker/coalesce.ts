// Calls that come while one is under way go together in the next: a commit each when
// the system is idle, and one for hundreds under load.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

export type CoalesceOptions = {
  /** Items in one call. */
  most: number
  /** Milliseconds to wait for company, where nobody waits for the result; else 0. */
  lingerMs?: number
}

/** Collects single calls into calls of a list. Each gets the result at its place. */
export function coalesce<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  { most, lingerMs = 0 }: CoalesceOptions,
): (item: Item) => Promise<Result> {
  type Waiting = {
    item: Item
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  const queue: Waiting[] = []
  let isRunning = false

  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      // What comes in the same turn of the event loop goes along in any case.
      await (lingerMs > 0 && queue.length < most ? sleep(lingerMs) : nextTurn())
      const taken = queue.splice(0, most)
      try {
        const results = await work(taken.map(({ item }) => item))
        for (const [index, { resolve }] of taken.entries()) resolve(results[index] as Result)
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (isRunning) return
      isRunning = true
      void run()
    })
}
