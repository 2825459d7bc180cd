// Starts the next run of the job runner when one has ended, until told to stop.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Run } from './runner.ts'

export type Supervised = {
  /** In whose names jobs are locked. */
  poolIds(): string[]
  stop(): Promise<void>
}

export type SuperviseOptions = {
  log: Logger
  start: () => Promise<Run>
  /** Lets go of what a run left that has ended. */
  retire: (poolId: string) => Promise<void>
}

const restartMs = 500

/** Keeps a run going. Throws when the first can't be started. */
export async function supervise({ log, start, retire }: SuperviseOptions): Promise<Supervised> {
  const stopping = new AbortController()
  let current: Run | null = await start()

  const loop = async (): Promise<void> => {
    let last: Run | null = null
    while (!stopping.signal.aborted) {
      try {
        if (last) await retire(last.poolId)
        last = null
        current ??= await start()
        if (stopping.signal.aborted) await current.stop()
        await current.ended
        last = current
      } catch (error) {
        log.warn({ err: error }, 'the job runner waits for the database')
      }
      current = null
      await sleep(restartMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = loop()

  return {
    poolIds: () => (current ? [current.poolId] : []),
    stop: async () => {
      stopping.abort()
      await current?.stop()
      await running
    },
  }
}
