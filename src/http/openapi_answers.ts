// The answers of an operation as OpenAPI shows them: each success with its schema, and
// each status that refuses, with just the codes that the operation has for it.
import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { envelope } from '../schemas/errors.ts'
import type { Endpoint, Success } from './endpoint.ts'
import { type ErrorCode, errorCodes } from './error_codes.ts'

type Headers = Extract<ZodOpenApiResponseObject['headers'], Record<string, unknown>>

const text = { type: 'string' as const }

/** Every header that an answer can have. */
export const headers = {
  'X-Request-Id': {
    description: 'Your own X-Request-Id when it was usable, else a new one.',
    required: true,
    schema: { ...text, minLength: 1, maxLength: 128 },
  },
  'Idempotent-Replayed': {
    description: 'true when this is the first answer to the Idempotency-Key, given again.',
    schema: { ...text, enum: ['true'] },
  },
  RateLimit: {
    description: 'What is left of the quota and the seconds until it is full again.',
    schema: text,
    example: '"per-key";r=599;t=60',
  },
  'RateLimit-Policy': {
    description: 'The quota of requests and its window in seconds.',
    schema: text,
    example: '"per-key";q=600;w=60',
  },
  'WWW-Authenticate': {
    description: 'What is missing: a key, a valid key, or the scope that it names.',
    required: true,
    schema: text,
    example: 'Bearer realm="public-api"',
  },
  Link: {
    description: 'The page that explains the code, rel="help".',
    required: true,
    schema: text,
    example: '</docs/errors/not_found>; rel="help"',
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is worth repeating.',
    required: true,
    schema: { type: 'integer' as const, minimum: 1 },
  },
}
type HeaderName = keyof typeof headers

// Other codes of the same status come without it.
const retryWhenInProgress = {
  description: 'With idempotency_in_progress: seconds to wait before repeating the request.',
  schema: { type: 'integer' as const, minimum: 1 },
}

// Whoever sends a key is told of its quota, whatever else the answer says.
const rateHeaders = ['RateLimit', 'RateLimit-Policy'] as const

/** The success answers of an endpoint. */
export function successes(
  endpoint: Pick<Endpoint, 'responses' | 'isIdempotent'>,
  hasKey: boolean,
): Record<string, ZodOpenApiResponseObject> {
  const names: HeaderName[] = [
    'X-Request-Id',
    ...(endpoint.isIdempotent ? (['Idempotent-Replayed'] as const) : []),
    ...(hasKey ? rateHeaders : []),
  ]
  return Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, success]) => [
      status,
      {
        description: success.description,
        headers: pick(names),
        content: { 'application/json': { schema: success.schema, example: shown(success) } },
      },
    ]),
  )
}

const shown = ({ schema, example }: Success): unknown =>
  example ?? z.globalRegistry.get(schema)?.examples?.[0]

/** The answers that refuse, one for each status. */
export function refusals(
  codes: readonly ErrorCode[],
  hasKey: boolean,
): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Object.groupBy(codes, (code) => errorCodes[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, some]) => [status, refusal(some, hasKey)]),
  )
}

function refusal(codes: readonly ErrorCode[], hasKey: boolean): ZodOpenApiResponseObject {
  return {
    description: codes.map((code) => `- \`${code}\`: ${errorCodes[code].happened}`).join('\n'),
    headers: headersOf(codes, hasKey),
    content: {
      'application/json': {
        schema: envelope(codes),
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
      },
    },
  }
}

const alwaysRetryable: readonly ErrorCode[] = [
  'rate_limited',
  'scanner_unavailable',
  'service_unavailable',
]

function headersOf(codes: readonly ErrorCode[], hasKey: boolean): Headers {
  const has = (...some: ErrorCode[]) => codes.some((code) => some.includes(code))
  const found = pick([
    'X-Request-Id',
    'Link',
    ...(has('unauthorized', 'insufficient_scope') ? (['WWW-Authenticate'] as const) : []),
    ...(has(...alwaysRetryable) ? (['Retry-After'] as const) : []),
    ...(hasKey ? rateHeaders : []),
  ])
  return has('idempotency_in_progress')
    ? { ...found, 'Retry-After': retryWhenInProgress }
    : found
}

const pick = (names: readonly HeaderName[]): Headers =>
  Object.fromEntries(names.map((name) => [name, reference(name)]))

const reference = (name: HeaderName) => ({ $ref: `#/components/headers/${name}` })

const faults = [{ loc: ['body', 'subject', 'state'], msg: 'required', type: 'missing' }]

/** A whole answer with a code, as the documentation shows it. */
export function exampleOf(code: ErrorCode) {
  const { title, happened } = errorCodes[code]
  return {
    summary: title,
    value: {
      code,
      message: happened,
      request_id: '9f2c1d7e-4b7a-4c52-8a51-2f6f0f1f7a10',
      ...(code === 'validation_error' ? { detail: faults } : {}),
    },
  }
}
