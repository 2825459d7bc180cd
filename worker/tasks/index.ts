// Every kind of job, and when the recurring ones run.
import type { CronItem, TaskList } from 'graphile-worker'
import type { Config } from '../../src/config.ts'
import type { Sender } from '../delivery/sender.ts'
import type { Outbox } from '../outbox.ts'
import type { Upkeep } from '../upkeep.ts'
import { deliverySend } from './delivery__send.ts'
import { documentsSweep } from './documents__sweep.ts'
import { eventFanOut } from './event__fan_out.ts'
import { eventRecover } from './event__recover.ts'
import { idempotencyKeysPurge, outboxPurge } from './outbox__purge.ts'

export const createTasks = (
  outbox: Outbox,
  upkeep: Upkeep,
  sender: Sender,
  config: Config,
): TaskList => ({
  event__fan_out: eventFanOut(outbox, sender),
  event__recover: eventRecover(outbox, upkeep, sender),
  delivery__send: deliverySend(sender),
  outbox__purge: outboxPurge(upkeep, config),
  idempotency_keys__purge: idempotencyKeysPurge(upkeep, config),
  documents__sweep: documentsSweep(upkeep, config),
})

/** Minutes apart from each other and from the full hour, when everybody's jobs run. */
export const schedule: CronItem[] = [
  { task: 'event__recover', match: '11 * * * *' },
  { task: 'outbox__purge', match: '23 * * * *' },
  { task: 'idempotency_keys__purge', match: '*/15 * * * *' },
  { task: 'documents__sweep', match: '37 4 * * *' },
]
