// Every answer that isn't 2xx is an ApiError, and there is one envelope for it.
import type { ServerResponse } from 'node:http'
import { type ErrorCode, errorCodes } from './error_codes.ts'

/** One fault of a request: where, in words, and its kind. */
export type Fault = { loc: (string | number)[]; msg: string; type: string }

/** An answer that refuses, with its public code and message. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly detail: Fault[] | undefined
  readonly headers: Record<string, string>

  constructor(
    code: ErrorCode,
    message: string = errorCodes[code].happened,
    more: { detail?: Fault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.status = errorCodes[code].status
    this.detail = more.detail
    this.headers = more.headers ?? {}
  }
}

export function validationError(detail: Fault[]): ApiError {
  const [first] = detail
  const where = first ? ` First: ${first.loc.join('.')}: ${first.msg}.` : ''
  return new ApiError('validation_error', `The request has ${count(detail)}.${where}`, {
    detail,
  })
}

const count = (detail: Fault[]): string =>
  detail.length === 1 ? 'a fault' : `${detail.length} faults`

/** Seconds after which a caller may try again when the service can't serve at all. */
export const retryAfterSeconds = '2'

export function unavailable(cause?: unknown): ApiError {
  return new ApiError('service_unavailable', 'The service can\'t answer now. Try again shortly.', {
    headers: { 'Retry-After': retryAfterSeconds },
    cause,
  })
}

/** 401, which tells nothing but whether a key was sent. */
export function unauthorized(wasSent: boolean): ApiError {
  const challenge = 'Bearer realm="public-api"'
  return new ApiError(
    'unauthorized',
    wasSent
      ? 'This API key is not valid here.'
      : 'Send an API key: Authorization: Bearer <key>.',
    {
      headers: {
        'WWW-Authenticate': wasSent ? `${challenge}, error="invalid_token"` : challenge,
      },
    },
  )
}

export function sendError(response: ServerResponse, error: ApiError, requestId: string): void {
  response.statusCode = error.status
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
  sendJson(response, errorBody(error, requestId))
}

/** The header Link of a refusal, for the port that has the pages of codes. */
export const helpLink = (code: ErrorCode): string => `</docs/errors/${code}>; rel="help"`

/** The one envelope, as JSON text. */
export const errorBody = (error: ApiError, requestId: string): string =>
  JSON.stringify({
    code: error.code,
    message: error.message,
    request_id: requestId,
    ...(error.detail ? { detail: error.detail } : {}),
  })

/** Ends a response with JSON text as it is. */
export function sendJson(response: ServerResponse, body: string): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.end(body)
}
