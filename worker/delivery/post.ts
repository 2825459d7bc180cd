// One HTTP request of a delivery, and what came of it. It never throws: whatever goes
// wrong is an outcome. Redirects are answers like any other, and not followed.
import type { Dispatcher } from 'undici'

export const errorClasses = [
  'name',
  'connection',
  'tls',
  'timeout',
  'status',
  'refused_address',
] as const
export type ErrorClass = (typeof errorClasses)[number]

export type Outcome = {
  status: number | null
  /** The beginning of the response, as text. */
  body: string | null
  retryAfter: string | undefined
  errorClass: ErrorClass | null
  error: string | null
}

/** Connection, request and response together. */
export const totalTimeoutMs = 15_000
/** More of a response is never read: the connection is cut instead. */
const readBytes = 64 * 1024
/** More of a response is never kept. */
const keptBytes = 4096

export type PostRequest = {
  path: string
  headers: Record<string, string>
  body: string
  timeoutMs?: number
  /** Once aborted, a failure is nobody's: our side has cut the connections. */
  signal?: AbortSignal
}

/** Posts to the origin of a dispatcher. Resolves to null when we gave it up ourselves. */
export function post(dispatcher: Dispatcher, request: PostRequest): Promise<Outcome | null> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let status: number | null = null
    let retryAfter: string | undefined
    let isDone = false
    let size = 0
    const kept: Buffer[] = []

    const finish = (outcome: Outcome | null, isCut: boolean): void => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      resolve(outcome)
      if (isCut) controller?.abort(new Error('the attempt is over'))
    }
    const fail = (errorClass: ErrorClass, error: string): void => {
      const outcome = { status: null, body: null, retryAfter: undefined, errorClass, error }
      finish(request.signal?.aborted ? null : outcome, true)
    }
    const answer = (isCut: boolean): void => {
      finish(outcomeOf(status ?? 0, retryAfter, Buffer.concat(kept)), isCut)
    }
    const timer = setTimeout(
      () => fail('timeout', 'no complete response in time'),
      request.timeoutMs ?? totalTimeoutMs,
    )

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started
        // Too late: the time ran out while the request waited for its connection.
        if (isDone) started.abort(new Error('the attempt is over'))
      },
      onResponseStart: (_controller, statusCode, headers) => {
        status = statusCode
        const header = headers['retry-after']
        retryAfter = Array.isArray(header) ? header[0] : header
      },
      onResponseData: (_controller, chunk) => {
        if (size < keptBytes) kept.push(chunk.subarray(0, keptBytes - size))
        size += chunk.length
        if (size > readBytes) answer(true)
      },
      onResponseEnd: () => answer(false),
      onResponseError: (_controller, error) => {
        const errorClass = classOf(error)
        fail(errorClass, describe(error))
      },
    }
    try {
      dispatcher.dispatch(
        { path: request.path, method: 'POST', headers: request.headers, body: request.body },
        handler,
      )
    } catch (error) {
      fail('connection', describe(error))
    }
  })
}

function outcomeOf(status: number, retryAfter: string | undefined, kept: Buffer): Outcome {
  const isSuccess = status >= 200 && status < 300
  return {
    status,
    body: kept.length > 0 ? textOf(kept) : null,
    retryAfter,
    errorClass: isSuccess ? null : 'status',
    error: isSuccess ? null : `answered ${status}`,
  }
}

// U+0000 is no character for PostgreSQL; bytes that aren't UTF-8 become U+FFFD.
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '\uFFFD')

function describe(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return (message || code || 'unknown').slice(0, 500)
}

const tlsCodes =
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/
// Of getaddrinfo, and of name servers. ETIMEOUT is theirs; a socket's is ETIMEDOUT.
const nameCodes =
  /^(ENOTFOUND|EAI_.*|ENODATA|ETIMEOUT|ESERVFAIL|EREFUSED|EFORMERR|EBAD(NAME|QUERY|RESP|FAMILY))$/
const timeoutCodes = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'])

function classOf(error: unknown): ErrorClass {
  const codes = codesOf(error)
  if (codes.includes('REFUSED_ADDRESS')) return 'refused_address'
  if (codes.some((code) => nameCodes.test(code))) return 'name'
  if (codes.some((code) => tlsCodes.test(code))) return 'tls'
  if (codes.some((code) => timeoutCodes.has(code))) return 'timeout'
  return 'connection'
}

// Trying several addresses at once fails with all their errors in one.
function codesOf(error: unknown): string[] {
  const { code, cause, errors } = error as { code?: string; cause?: unknown; errors?: unknown[] }
  return [
    ...(code ? [code] : []),
    ...(cause ? codesOf(cause) : []),
    ...(errors ?? []).flatMap((each) => codesOf(each)),
  ]
}
