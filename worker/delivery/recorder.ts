// Writes attempts down, many in one commit. While the database is away they wait: what
// was sent must not be sent again only because nobody could note it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { coalesce } from '../coalesce.ts'
import type { AttemptRecord, Outbox } from '../outbox.ts'

export type Recorder = {
  /** Resolves when the attempt is written down, or when the signal says to give up. */
  record(made: AttemptRecord): Promise<void>
  /** Attempts that aren't written down yet. */
  backlog(): number
}

/** Attempts in one call: some tens of milliseconds of the database's work. */
const mostRecords = 500
const retryMs = 1000
/** Long enough for dozens to come together under load; nobody waits for a record. */
const lingerMs = 5

export function createRecorder(outbox: Outbox, log: Logger, signal: AbortSignal): Recorder {
  let backlog = 0

  const write = coalesce<AttemptRecord, void>(async (records) => {
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        for (const disabled of await outbox.record(records)) {
          log.warn(disabled, 'an endpoint was disabled')
        }
        break
      } catch (error) {
        if (tries === 1) log.warn({ err: error }, 'attempts wait to be recorded')
        await sleep(retryMs)
      }
    }
    return []
  }, { most: mostRecords, lingerMs })

  return {
    record: async (made) => {
      backlog += 1
      await write(made)
      backlog -= 1
    },
    backlog: () => backlog,
  }
}
