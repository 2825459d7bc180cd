// Repeats a request until it has an answer that repeating would not change. That is safe
// because every repetition has the same Idempotency-Key.
import { setTimeout as sleep } from 'node:timers/promises'

export type Retry = {
  attempts: number
  /** Of the first wait; each further one may be twice as long, up to the longest. */
  firstMs: number
  longestMs: number
  /** Says what went wrong and how long the wait is. */
  onWait?: (reason: string, ms: number) => void
}

export const patient: Retry = { attempts: 10, firstMs: 500, longestMs: 60_000 }

/** The service didn't answer in all attempts. */
export class GivenUp extends Error {}

type Reply = { response: Response; error?: unknown }

/** Calls until the answer is final. Throws GivenUp. */
export async function withRetries<T extends Reply>(call: () => Promise<T>, retry: Retry): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await call().catch((error: unknown) => reasonOf(error))
    const reason = typeof reply === 'string' ? reply : transient(reply)
    if (reason === null) return reply as T
    if (attempt >= retry.attempts) throw new GivenUp(`gave up after ${attempt} attempts: ${reason}`)
    const told = typeof reply === 'string' ? 0 : retryAfterMs(reply.response)
    const ms = Math.max(told, jittered(attempt, retry))
    retry.onWait?.(reason, ms)
    await sleep(ms)
  }
}

// Anywhere between none and all of the wait, so that clients that failed together don't
// come back together.
function jittered(attempt: number, { firstMs, longestMs }: Retry): number {
  return Math.random() * Math.min(longestMs, firstMs * 2 ** (attempt - 1))
}

function transient({ response, error }: Reply): string | null {
  const { status } = response
  const { code } = (error ?? {}) as { code?: string }
  if (status === 429 || status >= 500) return `${status} ${code ?? ''}`.trim()
  return code === 'idempotency_in_progress' ? code : null
}

/** Retry-After in milliseconds: it is a number of seconds or a date. */
export function retryAfterMs(response: Response, now = Date.now()): number {
  const value = response.headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

// fetch says "fetch failed" and hides the reason in the cause.
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  const inner = cause as (Error & { code?: string }) | undefined
  return inner ? `${message}: ${inner.code ?? inner.message}` : message
}
