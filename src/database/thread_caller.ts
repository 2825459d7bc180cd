// A caller whose statements are put together and sent in a thread of its own: the driver
// copies every parameter twice, and 15 MiB at a time that would stop all other requests.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ErrorCode } from '../http/error_codes.ts'
import { ApiError, type Fault, unavailable } from '../http/errors.ts'
import type { Caller, Reply, Statement } from './pool.ts'

export type CallRequest = { id: number; statement: Statement; values: unknown[] } | 'close'

/** An ApiError in parts, as threads can't hand over instances of classes. */
export type Refusal = {
  code: ErrorCode
  message: string
  detail: Fault[] | undefined
  headers: Record<string, string>
  cause: unknown
}
export type CallReply = { id: number; reply: Reply } | { id: number; refusal: Refusal }

export type ThreadCaller = Pick<Caller, 'call' | 'close'> & {
  /** Fails what runs, at once: the database has gone silent. The next call starts anew. */
  cut(): void
}

/** Bytes among the values should be in shared memory; others are copied on their way. */
export function createThreadCaller(url: string): ThreadCaller {
  const pending = new Map<number, PromiseWithResolvers<Reply>>()
  let worker: Worker | null = null
  let lastId = 0

  function start(): Worker {
    const started = new Worker(new URL('call_worker.ts', import.meta.url), { workerData: url })
    started.unref()
    started.on('message', (answer: CallReply) => {
      const call = pending.get(answer.id)
      pending.delete(answer.id)
      if ('reply' in answer) call?.resolve(answer.reply)
      else call?.reject(errorOf(answer.refusal))
    })
    started.on('error', fail)
    started.on('exit', () => {
      worker = null
      fail(new Error('the calling thread ended'))
    })
    return started
  }

  function fail(cause: Error): void {
    for (const call of pending.values()) call.reject(unavailable(cause))
    pending.clear()
  }

  return {
    call: (statement, values) => {
      const call = Promise.withResolvers<Reply>()
      const id = (lastId += 1)
      pending.set(id, call)
      worker ??= start()
      worker.postMessage({ id, statement, values } satisfies CallRequest)
      return call.promise
    },
    cut: () => void worker?.terminate(),
    close: async () => {
      if (!worker) return
      const ended = once(worker, 'exit')
      worker.postMessage('close' satisfies CallRequest)
      await ended
    },
  }
}

const errorOf = ({ code, message, ...more }: Refusal): ApiError =>
  new ApiError(code, message, {
    headers: more.headers,
    cause: more.cause,
    ...(more.detail ? { detail: more.detail } : {}),
  })
