// One attempt: check the address, sign, post, and say what to record. The single step
// of the sender's loop, callable by itself.
import type { Dispatcher } from 'undici'
import type { AddressGuard } from '../../src/webhooks/address_guard.ts'
import { parseEndpointUrl } from '../../src/webhooks/endpoint_url.ts'
import { testEventType } from '../../src/webhooks/events.ts'
import type { AttemptRecord, Claim } from '../outbox.ts'
import { type Outcome, post, totalTimeoutMs } from './post.ts'
import { parseRetryAfter, retryDelay } from './schedule.ts'
import { bodyOf, signedHeaders } from './signature.ts'
import type { SigningKeys } from './signing_keys.ts'

export type AttemptContext = {
  isProduction: boolean
  guard: AddressGuard
  /** While a rotation overlaps, the old secret signs as well. */
  keys: SigningKeys
  /** Connections to the origin of an endpoint's URL. */
  connections: (endpointId: string, origin: string) => Dispatcher
  /** URLs that were checked. */
  urls: Map<string, URL | Outcome>
  timeoutMs?: number
  clock?: () => Date
  random?: () => number
}

const mostUrls = 10_000

/** Makes an attempt. Null when its signal gave it up; throws only when it can't be signed. */
export async function attempt(
  claim: Claim,
  context: AttemptContext,
  signal?: AbortSignal,
): Promise<AttemptRecord | null> {
  const startedAt = context.clock?.() ?? new Date()
  const start = performance.now()
  const outcome = await send(claim, context, startedAt, signal)
  if (outcome === null) return null
  return {
    delivery_id: claim.id,
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(performance.now() - start),
    response_status: outcome.status,
    response_body: outcome.body,
    error_class: outcome.errorClass,
    error: outcome.error,
    retry_ms: retryOf(claim, outcome, startedAt, context.random),
    is_replay: claim.is_replay,
    is_test: claim.event_type === testEventType,
  }
}

async function send(
  claim: Claim,
  context: AttemptContext,
  startedAt: Date,
  signal?: AbortSignal,
): Promise<Outcome | null> {
  const url = checkedUrl(claim.url, context)
  if ('errorClass' in url) return url
  const message = {
    id: claim.event_id,
    timestamp: Math.floor(startedAt.getTime() / 1000),
    body: bodyOf({ type: claim.event_type, time: claim.event_time, data: claim.event_data }),
  }
  return post(context.connections(claim.endpoint_id, url.origin), {
    path: url.pathname + url.search,
    headers: {
      ...signedHeaders(message, context.keys.of(claim)),
      ...(claim.traceparent === null ? {} : { traceparent: claim.traceparent }),
    },
    body: message.body,
    timeoutMs: context.timeoutMs ?? totalTimeoutMs,
    ...(signal ? { signal } : {}),
  })
}

// What is found of a URL holds for the life of the process: its settings don't change,
// and names are judged when they are resolved.
function checkedUrl(text: string, context: AttemptContext): URL | Outcome {
  const known = context.urls.get(text)
  if (known) return known
  if (context.urls.size >= mostUrls) context.urls.clear()
  const checked = checkUrl(text, context)
  context.urls.set(text, checked)
  return checked
}

function checkUrl(text: string, context: AttemptContext): URL | Outcome {
  try {
    return parseEndpointUrl(text, context)
  } catch (error) {
    return {
      status: null,
      body: null,
      retryAfter: undefined,
      errorClass: 'refused_address',
      error: (error as Error).message,
    }
  }
}

function retryOf(
  claim: Claim,
  outcome: Outcome,
  now: Date,
  random?: () => number,
): number | null {
  const isLast =
    outcome.errorClass === null || outcome.status === 410 || claim.event_type === testEventType
  if (isLast) return null
  const made = claim.attempts + (claim.is_replay ? 0 : 1)
  return retryDelay(
    Math.max(made, 1),
    parseRetryAfter(outcome.retryAfter, now.getTime()),
    random?.(),
  )
}
