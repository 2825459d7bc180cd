// The job that a transaction with events leaves behind. Jobs that run at once share one
// call of the database, and so one commit.
import type { Task } from 'graphile-worker'
import { coalesce } from '../coalesce.ts'
import type { Outbox } from '../outbox.ts'

/** Batches of events in one call: some milliseconds of work. */
const mostBatches = 200

export function eventFanOut(outbox: Outbox, ring: (endpointId: string) => void): Task {
  const fanOut = coalesce<string, void>(async (batchIds) => {
    for (const endpointId of await outbox.fanOut(batchIds)) ring(endpointId)
    return []
  }, mostBatches)

  return async (payload) => {
    await fanOut((payload as { batch_id: string }).batch_id)
  }
}
