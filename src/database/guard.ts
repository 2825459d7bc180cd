// A caller that refuses at once what can't succeed: before the schema was found to be the
// one that this code knows, and while the database is silent. Nobody queues for a database
// that isn't there.
import { ApiError, unavailable } from '../http/errors.ts'
import type { Caller } from './pool.ts'
import type { Watch } from './watch.ts'

export function guardCaller(caller: Caller, watch: Watch, isOpen: () => boolean): Caller {
  return {
    ...caller,
    call: async (statement, values) => {
      if (!isOpen()) throw unavailable(new Error('not started yet'))
      if (!watch.isUp()) throw unavailable(new Error('the database does not answer'))
      try {
        const reply = await caller.call(statement, values)
        watch.noteAnswer()
        return reply
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) watch.noteAnswer()
        throw error
      }
    },
  }
}
