// The job that a transaction with events leaves behind. Jobs that run at once share one
// call of the database, which takes waiting ones along as far as the sender has room.
import type { Task } from 'graphile-worker'
import { coalesce } from '../coalesce.ts'
import type { Sender } from '../delivery/sender.ts'
import type { Outbox } from '../outbox.ts'

/** Batches of running jobs in one call: all of them. */
const mostBatches = 100

export function eventFanOut(outbox: Outbox, sender: Sender): Task {
  const fanOut = coalesce<string, void>(async (batchIds) => {
    sender.accept(await outbox.fanOut(batchIds, sender.room()))
    return []
  }, { most: mostBatches })

  return async (payload) => {
    await fanOut((payload as { batch_id: string }).batch_id)
  }
}
