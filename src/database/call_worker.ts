// The thread behind a thread caller: an ordinary caller, and its answers as messages.
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ApiError } from '../http/errors.ts'
import { createCaller } from './pool.ts'
import type { CallReply, CallRequest, Refusal } from './thread_caller.ts'

/** Few: each that sends 15 MiB holds as much again. */
const connections = 1

// Whoever sends 15 MiB may wait a little; whoever reads a quote meanwhile may not. Linux has
// priorities for threads.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const caller = createCaller(workerData as string, { max: connections })

parentPort?.on('message', (request: CallRequest) => {
  if (request === 'close') return void caller.close().then(() => parentPort?.close())
  const { id, statement, values } = request
  caller.call(statement, values).then(
    (reply) => answer({ id, reply }),
    (error: ApiError) => answer({ id, refusal: partsOf(error) }),
  )
})

const answer = (message: CallReply): void => parentPort?.postMessage(message)

const partsOf = ({ code, message, detail, headers, cause }: ApiError): Refusal => ({
  code,
  message,
  detail,
  headers,
  cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined,
})
