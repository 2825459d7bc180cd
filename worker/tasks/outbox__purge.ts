// Removes what is past its time, in small steps, so that nobody waits for a long lock.
import type { Task } from 'graphile-worker'
import type { Config } from '../../src/config.ts'
import type { Upkeep } from '../upkeep.ts'

/** Events, each with its deliveries and attempts, or keys, in one step. */
const step = 1000

export const outboxPurge =
  (upkeep: Upkeep, config: Config): Task =>
  async (_payload, { abortSignal }) => {
    await inSteps(() => upkeep.purgeEvents(config.WEBHOOK_RETENTION_DAYS, step), abortSignal)
  }

export const idempotencyKeysPurge =
  (upkeep: Upkeep, config: Config): Task =>
  async (_payload, { abortSignal }) => {
    const hours = config.IDEMPOTENCY_RETENTION_HOURS
    await inSteps(() => upkeep.purgeIdempotencyKeys(hours, step), abortSignal)
  }

async function inSteps(remove: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await remove()) === step);
}
