// Who uses the API how much, for analysts: requests and errors by key, day and operation.
// Added up in memory and written every few seconds, so that a request pays for nothing
// but a sum. A clean stop writes the rest; a killed process loses the last seconds.
import type { Logger } from 'pino'
import type { Caller, Statement } from '../database/pool.ts'

const flushMs = 10_000

export type Usage = {
  /** Counts one request of a key that the database knows. */
  count(digest: Buffer, operation: string, isError: boolean): void
  /** Writes what was counted. Keeps it for the next time when the database isn't there. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** `day` counts from 1 January 1970: to write it out costs a request more than the sum. */
type Counts = { digest: string; day: number; operation: string; requests: number; errors: number }

const dayMs = 24 * 60 * 60 * 1000

const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

const record: Statement = {
  name: 'record_usage',
  text: 'select 200 as status, \'\' as body, false as is_replay, auth.record_usage($1)',
}

export function createUsage(caller: Caller, log: Logger): Usage {
  let counted = new Map<string, Counts>()
  let running: Promise<void> = Promise.resolve()

  const add = (counts: Counts): void => {
    const key = `${counts.digest} ${counts.day} ${counts.operation}`
    const known = counted.get(key)
    if (!known) return void counted.set(key, counts)
    known.requests += counts.requests
    known.errors += counts.errors
  }

  const write = async (): Promise<void> => {
    if (counted.size === 0) return
    const batch = [...counted.values()]
    counted = new Map()
    try {
      const dated = batch.map((counts) => ({ ...counts, day: dateOf(counts.day) }))
      await caller.call(record, [JSON.stringify(dated)])
    } catch (error) {
      log.warn({ err: error }, 'usage was not written; it is kept')
      batch.forEach(add)
    }
  }

  const flush = (): Promise<void> => (running = running.then(write))
  const timer = setInterval(() => void flush(), flushMs)
  timer.unref()

  return {
    count: (digest, operation, isError) =>
      add({
        digest: digest.toString('hex'),
        day: Math.floor(Date.now() / dayMs),
        operation,
        requests: 1,
        errors: isError ? 1 : 0,
      }),
    flush,
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
