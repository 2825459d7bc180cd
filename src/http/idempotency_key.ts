// The Idempotency-Key header: a bare token or a quoted structured-field string, which
// are one key.
import type { IncomingMessage } from 'node:http'
import { ApiError } from './errors.ts'

/** The key of a request. Throws 400 idempotency_key_required or idempotency_key_invalid. */
export function idempotencyKey(request: IncomingMessage): string {
  const header = request.headers['idempotency-key']
  const raw = (Array.isArray(header) ? header.join(', ') : (header ?? '')).trim()
  const key = unquote(raw)
  if (key === '') {
    throw new ApiError(
      'idempotency_key_required',
      'Send an Idempotency-Key, a new one for each new request.',
    )
  }
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ApiError(
      'idempotency_key_invalid',
      'An Idempotency-Key is 1 to 255 visible ASCII characters.',
    )
  }
  return key
}

function unquote(raw: string): string {
  return /^"(?:[^"\\]|\\["\\])*"$/.test(raw)
    ? raw.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')
    : raw
}
