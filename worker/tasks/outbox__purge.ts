// Removes what is past its time, in small steps, so that nobody waits for a long lock.
import type { Task } from 'graphile-worker'
import type { Config } from '../../src/config.ts'
import type { Outbox } from '../outbox.ts'

/** Events, each with its deliveries and attempts, or keys, in one step. */
const step = 1000

export const outboxPurge =
  (outbox: Outbox, config: Config): Task =>
  async (_payload, { abortSignal }) => {
    await inSteps(() => outbox.purgeEvents(config.WEBHOOK_RETENTION_DAYS, step), abortSignal)
  }

export const idempotencyKeysPurge =
  (outbox: Outbox, config: Config): Task =>
  async (_payload, { abortSignal }) => {
    const hours = config.IDEMPOTENCY_RETENTION_HOURS
    await inSteps(() => outbox.purgeIdempotencyKeys(hours, step), abortSignal)
  }

async function inSteps(remove: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await remove()) === step);
}
