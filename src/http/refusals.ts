// Which codes an operation can refuse with. The gates that a request passes imply most
// of them; the rules behind them add those that the endpoint names.
import type { Endpoint } from './endpoint.ts'
import { type ErrorCode, inListOrder } from './error_codes.ts'

type Guarded = Pick<Endpoint, 'scope' | 'isIdempotent' | 'body' | 'errors'>

/** Every error code of an operation that needs a key, in the order of the list. */
export function refusalsOf(endpoint: Guarded): ErrorCode[] {
  return inListOrder([
    'unauthorized',
    'rate_limited',
    ...(endpoint.scope ? (['insufficient_scope'] as const) : []),
    ...(endpoint.isIdempotent ? idempotencyRefusals : []),
    ...(endpoint.body ? bodyRefusals : []),
    // Without parameters or a body there is still the query, which must be empty.
    'validation_error',
    ...endpoint.errors,
    ...publicRefusals,
  ])
}

/** What can happen to any request. */
const publicRefusals: readonly ErrorCode[] = ['internal_error', 'service_unavailable']

/** Every error code of an operation that needs no key, and so no database. */
export const openRefusals: readonly ErrorCode[] = ['validation_error']

const idempotencyRefusals: readonly ErrorCode[] = [
  'idempotency_key_required',
  'idempotency_key_invalid',
  'idempotency_conflict',
  'idempotency_in_progress',
]

const bodyRefusals: readonly ErrorCode[] = [
  'unsupported_media_type',
  'payload_too_large',
  'invalid_json',
]
