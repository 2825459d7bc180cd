// Fans out events whose job was lost. Nothing loses one, unless by hand: this is the net.
import type { Task } from 'graphile-worker'
import type { Sender } from '../delivery/sender.ts'
import type { Outbox } from '../outbox.ts'
import type { Upkeep } from '../upkeep.ts'

/** As far back as a receiver may expect to hear of something by itself. */
const days = 7
const step = 200

export const eventRecover =
  (outbox: Outbox, upkeep: Upkeep, sender: Sender): Task =>
  async (_payload, { abortSignal }) => {
    while (!abortSignal.aborted) {
      const batchIds = await upkeep.missedBatches(days, step)
      sender.accept(await outbox.fanOut(batchIds))
      if (batchIds.length < step) return
    }
  }
