// The job that says that an endpoint has something due: a retry, a replay, or what a
// killed worker left. It only rings: the sender takes all that is due, within the
// endpoint's lane, and the database knows what is still to do if this process dies.
import type { Task } from 'graphile-worker'
import type { Sender } from '../delivery/sender.ts'

export const deliverySend =
  (sender: Sender): Task =>
  (payload) =>
    sender.ring((payload as { endpoint_id: string }).endpoint_id)
