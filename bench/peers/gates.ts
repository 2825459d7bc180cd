// What both peers do before a request reaches the database, and how they answer: the
// usual packages, as a good team would put them together.
import { createHash, randomUUID } from 'node:crypto'
import pino, { type Logger } from 'pino'
import { Histogram, Registry } from 'prom-client'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type * as z from 'zod'
import { isKeyOf } from '../../src/api_key.ts'

export class HttpError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

type Headers = Record<string, string | string[] | undefined>

const perMinute = 1_000_000
const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })

export const log: Logger = pino({ base: null }, pino.destination(2))
const registry = new Registry()
export const seconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time to answer.',
  labelNames: ['operation', 'status'],
  registers: [registry],
})

export const requestId = (headers: Headers): string =>
  typeof headers['x-request-id'] === 'string' ? headers['x-request-id'] : randomUUID()

/** The digest of the key of a request. */
export function digestOf(headers: Headers): Buffer {
  const key = /^Bearer +(.+)$/i.exec(String(headers.authorization ?? ''))?.[1] ?? ''
  if (!isKeyOf('test', key)) throw new HttpError(401, 'unauthorized')
  return createHash('sha256').update(key).digest()
}

/** Counts a request of a key. Gives the headers that tell the caller. */
export async function countKey(digest: Buffer): Promise<Record<string, string>> {
  try {
    const state = await limiter.consume(digest.toString('base64'))
    const wait = Math.max(1, Math.ceil(state.msBeforeNext / 1000))
    return {
      'RateLimit-Policy': `"per-key";q=${perMinute};w=60`,
      RateLimit: `"per-key";r=${state.remainingPoints};t=${wait}`,
    }
  } catch {
    throw new HttpError(429, 'rate_limited')
  }
}

export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (!result.success) throw new HttpError(422, 'validation_error')
  return result.data
}

export function idempotencyKeyOf(headers: Headers): string {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || key === '') throw new HttpError(400, 'idempotency_key_required')
  return key
}

/** Tells a repeated request from another one with the same key. */
export const fingerprintOf = (path: string, body: unknown): Buffer =>
  createHash('sha256').update(`POST ${path}\n${JSON.stringify(body)}`).digest()
