// Reads what a request holds and checks its form, in the order of the gates: headers,
// size, syntax, schema. It knows no rule that needs a row.
import { createHash } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import express, { type Request, type Response } from 'express'
import type * as z from 'zod'
import type { Endpoint, Input } from './endpoint.ts'
import { ApiError, type Fault, validationError } from './errors.ts'
import { idempotencyKey } from './idempotency_key.ts'
import { parseJson } from './json.ts'
import { faultsOf } from './faults.ts'

/** 5 MiB: a hundred organizations with 25 contacts each are about 1 MiB. */
const bodyLimit = 5 * 1024 * 1024

const readBytes = express.raw({ type: () => true, limit: bodyLimit })

export type CheckedInput = Input & {
  idempotencyKey?: string
  fingerprint?: Buffer
}

/** The checked input of a request. Throws ApiError 400, 413, 415 or 422. */
export async function readInput(
  endpoint: Endpoint,
  request: Request,
  response: Response,
): Promise<CheckedInput> {
  const key = endpoint.isIdempotent ? idempotencyKey(request) : undefined
  const json = endpoint.body ? await readJson(request, response) : undefined
  const faults: Fault[] = []
  const input: CheckedInput = {
    path: check(endpoint.path_parameters, request.params, 'path', faults) as Input['path'],
    query: check(endpoint.query, queryOf(request, faults), 'query', faults),
    body: endpoint.body ? check(endpoint.body, json, 'body', faults) : undefined,
  }
  if (faults.length > 0) throw validationError(faults)
  if (key === undefined) return input
  return {
    ...input,
    idempotencyKey: key,
    fingerprint: fingerprintOf(request, json),
  }
}

/** Throws 422 when a request has a query. */
export function requireNoQuery(request: Request): void {
  const faults: Fault[] = []
  check(undefined, queryOf(request, faults), 'query', faults)
  if (faults.length > 0) throw validationError(faults)
}

function check<T>(
  schema: z.ZodType<T> | undefined,
  value: unknown,
  place: string,
  faults: Fault[],
): T {
  if (!schema) {
    for (const name of Object.keys((value as object | undefined) ?? {})) {
      if (place === 'query') {
        faults.push({ loc: [place, name], msg: 'unknown parameter', type: 'extra_forbidden' })
      }
    }
    return {} as T
  }
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  faults.push(...faultsOf(result.error, place))
  return {} as T
}

// A parameter that is repeated is a mistake that must not pass unseen; an empty one
// is as good as none.
function queryOf(request: Request, faults: Fault[]): Record<string, string> {
  const start = request.originalUrl.indexOf('?')
  if (start < 0) return {}
  const query: Record<string, string> = Object.create(null)
  const seen = new Set<string>()
  for (const [name, value] of new URLSearchParams(request.originalUrl.slice(start))) {
    if (seen.has(name)) {
      faults.push({ loc: ['query', name], msg: 'given more than once', type: 'repeated' })
    }
    seen.add(name)
    if (value.trim() !== '') query[name] = value
  }
  return { ...query }
}

async function readJson(request: Request, response: Response): Promise<unknown> {
  requireJson(request)
  const bytes = await readBody(request, response)
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw invalidJson('The body is not UTF-8.')
  try {
    return parseJson(bytes.toString('utf8'))
  } catch (error) {
    const { name, message } = error as Error
    // A reviver runs out of stack before the parser would.
    throw invalidJson(`The body is not JSON: ${name === 'SyntaxError' ? message : 'too deep'}`)
  }
}

const invalidJson = (message: string): ApiError => new ApiError('invalid_json', message)

function requireJson(request: Request): void {
  const header = request.headers['content-type'] ?? ''
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((part) => part.startsWith('charset='))?.slice(8)
  const isUtf8Charset = !charset || ['utf-8', '"utf-8"', 'utf8', '"utf8"'].includes(charset)
  if (type !== 'application/json' || !isUtf8Charset) {
    throw new ApiError('unsupported_media_type', 'Send the body as application/json in UTF-8.')
  }
}

async function readBody(request: Request, response: Response): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => (error ? reject(toBodyError(error)) : resolve()))
  })
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}

function toBodyError(error: unknown): ApiError {
  const { type } = error as { type?: string }
  if (type === 'entity.too.large') {
    return new ApiError('payload_too_large', 'The body is larger than 5 MiB.', {
      headers: { Connection: 'close' },
    })
  }
  if (type === 'encoding.unsupported') {
    return new ApiError('unsupported_media_type', 'This Content-Encoding is not supported.')
  }
  return new ApiError('invalid_json', 'The body can\'t be read.', { cause: error })
}

/** SHA-256 over method, path and body, the body as JSON without regard to key order. */
function fingerprintOf(request: Request, json: unknown): Buffer {
  return createHash('sha256')
    .update(`${request.method} ${request.path}\n${canonical(json)}`)
    .digest()
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) && !JSON.isRawJSON(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
