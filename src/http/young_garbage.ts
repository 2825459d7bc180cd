// Takes the chunks of large bodies out of memory while they are young, which is a
// millisecond's work. Each chunk is memory outside the engine's heap, and the engine
// answers every 27 MB of it with a collection of everything, 10 to 60 ms long, in which
// nobody else is served (bench/uploads.ts: reads' 95th percentile beside uploads falls
// from 12 times the idle one to 6).
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

const collectEvery = 8 * 1024 * 1024
let received = 0

/** Call it for each chunk, with its size, once the chunk is done with. */
export function countGarbage(bytes: number): void {
  received += bytes
  if (received < collectEvery) return
  received = 0
  collect({ type: 'minor' })
}
