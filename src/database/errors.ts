// The one map from what PostgreSQL raises to what callers see. Functions raise
// business errors as PT + HTTP status, with the public code as the constraint's name;
// everything else is masked: no SQL, no constraint, no other tenant's data.
import { isErrorCode } from '../http/error_codes.ts'
import { ApiError, type Fault, unauthorized, unavailable } from '../http/errors.ts'

type DatabaseFault = {
  code?: string
  constraint?: string
  message?: string
  detail?: string
}

/** Public error for anything that a database call threw. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const fault = (typeof error === 'object' && error !== null ? error : {}) as DatabaseFault
  if (isBusinessError(fault)) return businessError(fault)
  if (isUnavailable(error)) return unavailable(error)
  return new ApiError('internal_error', 'Something went wrong on our side.', { cause: error })
}

/** Whether the same statement, sent again, may succeed: a deadlock or a serialisation failure. */
export function isWorthRepeating(error: unknown): boolean {
  const code = (error as DatabaseFault | null)?.code ?? ''
  return ['40001', '40P01', '23505'].includes(code)
}

function isBusinessError(fault: DatabaseFault): boolean {
  return /^PT[0-9]{3}$/.test(fault.code ?? '') && isErrorCode(fault.constraint ?? '')
}

function businessError(fault: DatabaseFault): ApiError {
  const code = fault.constraint ?? ''
  const detail: unknown = fault.detail ? JSON.parse(fault.detail) : undefined
  if (code === 'unauthorized') return unauthorized(true)
  if (!isErrorCode(code)) throw new TypeError(`unknown error code ${code}`)
  return new ApiError(code, fault.message ?? code, {
    ...(Array.isArray(detail) ? { detail: detail as Fault[] } : {}),
    headers: headersOf(code, detail),
  })
}

function headersOf(code: string, detail: unknown): Record<string, string> {
  if (code === 'idempotency_in_progress') return { 'Retry-After': '1' }
  if (code !== 'insufficient_scope') return {}
  const { scope } = detail as { scope: string }
  return { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` }
}

// Connection lost or refused (08, and node's own codes), resources (53), operator's
// hand and time-outs (57, 55P03), a standby or a full disk (25006, 58).
const unavailableStates = /^(08...|53...|57...|58...|55P03|25006|3D000|28...)$/
const unavailableCodes =
  /^(ECONN.*|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|EHOSTUNREACH|ENETUNREACH|EAI_FAIL)$/
// pg gives these no code.
const unavailableMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered|not queryable|Query read timeout|pool is (ending|draining)|Cannot use a pool/i

/** Whether a database call failed because the database isn't there, not for what it said. */
export function isUnavailable(error: unknown): boolean {
  const fault = (error ?? {}) as DatabaseFault
  return (
    unavailableStates.test(fault.code ?? '') ||
    unavailableCodes.test(fault.code ?? '') ||
    unavailableMessages.test(fault.message ?? '')
  )
}
