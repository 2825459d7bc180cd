// Says every few seconds that this process lives, and sweeps up after those that don't.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Upkeep } from './upkeep.ts'

/** Five of these fit into the silence after which outbox.sweep takes a worker for dead. */
const beatMs = 3000

/** Half a minute: a claim is taken for lost only after two. */
const beatsBetweenChecks = 10

export type Heartbeat = {
  /** Says good-bye: whatever is still held is let go at once. */
  stop(): Promise<void>
}

export type HeartbeatOptions = {
  upkeep: Upkeep
  log: Logger
  workerIds: () => string[]
  /** In whose name deliveries are claimed, and which it knows of. */
  claims: { workerId: string; held: () => string[] }
}

export function startHeartbeat({ upkeep, log, workerIds, claims }: HeartbeatOptions): Heartbeat {
  const stopping = new AbortController()
  const known = new Set<string>()

  let beats = 0

  const beat = async (): Promise<void> => {
    const alive = workerIds()
    for (const id of alive) known.add(id)
    await upkeep.beat(alive)
    beats += 1
    if (beats % beatsBetweenChecks === 0) {
      const freed = await upkeep.freeLostClaims(claims.workerId, claims.held())
      if (freed > 0) log.warn({ freed }, 'claims were lost with their connection; they are free again')
    }
    await upkeep.sweep()
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await beat().catch((error: unknown) => {
        log.warn({ err: error }, 'the heartbeat was missed')
      })
      await sleep(beatMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()

  return {
    stop: async () => {
      stopping.abort()
      await running
      await upkeep.retire([...known]).catch((error: unknown) => {
        log.warn({ err: error }, 'the worker leaves without a good-bye')
      })
    },
  }
}
