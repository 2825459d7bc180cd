// The API key of a request. Its form is checked here, before a body is read or the
// database is asked; whether it is valid, only the database knows.
import type { IncomingMessage } from 'node:http'
import { type KeyEnvironment, isKeyOf } from '../api_key.ts'
import { unauthorized } from './errors.ts'

/** The presented key. Throws 401 when it is missing, malformed or of the other environment. */
export function presentedKey(request: IncomingMessage, environment: KeyEnvironment): string {
  const key = bearerToken(request) ?? header(request, 'x-svc-api-key')
  if (!key) throw unauthorized(false)
  if (!isKeyOf(environment, key)) throw unauthorized(true)
  return key
}

/** The token of `Authorization: Bearer`, which wins over any other header. */
export function bearerToken(request: IncomingMessage): string | undefined {
  return /^bearer +(.*)$/i.exec(header(request, 'authorization') ?? '')?.[1]?.trim()
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value?.trim()
}
