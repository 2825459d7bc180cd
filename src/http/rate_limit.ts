// How often a key may ask, counted in this process over a minute. A fair share, not a
// guard against attacks: a deployment of several processes allows each of them this much.
// Requests without a valid key are counted by address, so that guessing keys is slow.
import type { ServerResponse } from 'node:http'
import { type RateLimiterAbstract, RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from './errors.ts'

const windowSeconds = 60

export type RateLimit = {
  /** Counts a request of a key. Throws 429; sets the RateLimit headers either way. */
  countKey(digest: Buffer, response: ServerResponse): Promise<void>
  /** Counts a request whose key was refused. */
  countRefusal(address: string): Promise<void>
  /** Throws 429 when an address was refused too often. */
  requirePatience(address: string, response: ServerResponse): Promise<void>
}

const unlimited: RateLimit = {
  countKey: async () => {},
  countRefusal: async () => {},
  requirePatience: async () => {},
}

/** A limit of requests per minute and key; 0 for none. */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return unlimited
  const options = { points: perMinute, duration: windowSeconds }
  const keys = new RateLimiterMemory(options)
  const addresses = new RateLimiterMemory(options)
  return {
    countKey: async (digest, response) => {
      const { state, isOver } = await consume(keys, digest.toString('base64'))
      setHeaders(response, perMinute, state)
      if (isOver) throw rateLimited(state)
    },
    countRefusal: async (address) => {
      await consume(addresses, address)
    },
    requirePatience: async (address, response) => {
      const state = await addresses.get(address)
      if (!state || state.consumedPoints < perMinute) return
      setHeaders(response, perMinute, state)
      throw rateLimited(state)
    },
  }
}

// The library rejects with the state of the counter when the limit is passed.
async function consume(
  limiter: RateLimiterAbstract,
  key: string,
): Promise<{ state: RateLimiterRes; isOver: boolean }> {
  try {
    return { state: await limiter.consume(key), isOver: false }
  } catch (state) {
    return { state: state as RateLimiterRes, isOver: true }
  }
}

const secondsLeft = (state: RateLimiterRes): number =>
  Math.max(1, Math.ceil(state.msBeforeNext / 1000))

// draft-ietf-httpapi-ratelimit-headers-08
function setHeaders(response: ServerResponse, quota: number, state: RateLimiterRes): void {
  const remaining = Math.max(0, quota - state.consumedPoints)
  response.setHeader('RateLimit-Policy', `"per-key";q=${quota};w=${windowSeconds}`)
  response.setHeader('RateLimit', `"per-key";r=${remaining};t=${secondsLeft(state)}`)
}

function rateLimited(state: RateLimiterRes): ApiError {
  const seconds = secondsLeft(state)
  return new ApiError('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
