// Glossary
// - endpoint: one operation of the public API, as data. Routes, SQL, OpenAPI and the
//   documentation are all made from it.
// - call: the database function that an endpoint maps to. It runs as one statement,
//   `select … from api.f(auth.enter(digest, scope), …)`: one round trip, one commit.
// - entry: auth.enter's part of that statement. It derives the tenant from the key.
// - reply: status and JSON text, built by the database and sent as they are.
// - gate: a check that may refuse. Their order is fixed: route, credentials, rate,
//   scope, headers, size, syntax, schema, rules.
// - upload: an endpoint whose body is a file. Its call only admits the request, before the
//   body is read; what attaches the file is a second statement, after the scan.
import type * as z from 'zod'
import type { Scope } from '../api_key.ts'
import type { Statement } from '../database/pool.ts'
import type { ErrorCode } from './error_codes.ts'

export type Input = {
  path: Record<string, string>
  query: Record<string, unknown>
  body: unknown
}

/** Groups of operations in the documentation, in its order. */
export const tags = {
  Service: 'The service itself, and the key that you call it with.',
  'Products and fees': 'What the company offers, where, and for how much.',
  Quotes: 'Quote requests for the office, what became of them, and their documents.',
  Organizations: 'The directory of clients, lenders and AMCs with their contacts.',
  Leads: 'Leads of your CRM, each about one organization.',
  Orders: 'Milestones of orders, for status pages. They are read here and never written.',
} as const
export type Tag = keyof typeof tags

export type Call = {
  function: string
  /** Arguments after the entry and, where it applies, the idempotency pair. */
  arguments: (input: Input) => unknown[]
}

export type Upload = {
  /** The form's fields beside the part `file`. */
  fields: z.ZodObject
  /** What the file may be, by its bytes. */
  contentTypes: string[]
}

export type Success = {
  description: string
  schema: z.ZodType
  /** In place of the schema's own. */
  example?: unknown
}

export type Endpoint = {
  /** OpenAPI's operationId, and the name of the prepared statement. */
  operation: string
  tag: Tag
  method: 'get' | 'post' | 'patch'
  /** Below /public/v1, in OpenAPI's form: /quotes/{quote_id}. */
  path: string
  summary: string
  description: string
  /** The scope that a key must hold; null where any valid key will do. */
  scope: Scope | null
  /** Needs an Idempotency-Key, and replays the first answer to it. */
  isIdempotent?: boolean
  path_parameters?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The body is multipart/form-data with one file, in place of JSON. */
  upload?: Upload
  call: Call
  /** A read of a few rows that waits for no lock: it may share a connection with others. */
  isQuick?: boolean
  /** Success status -> schema of the answer. */
  responses: Record<number, Success>
  /** Codes that the business rules can answer; those of the gates are implied. */
  errors: ErrorCode[]
}

/** An operation that needs no key: app.ts answers it without the database. */
export type PublicEndpoint = Pick<
  Endpoint,
  'operation' | 'tag' | 'path' | 'summary' | 'description' | 'responses'
>

/** Whether it makes events, which take the request's place in its trace along. */
export const isTraced = (endpoint: Endpoint): boolean =>
  endpoint.isIdempotent === true || endpoint.method === 'patch'

/** The one statement of an endpoint, with a placeholder per argument; or with the tenant's id. */
export function statementOf(endpoint: Endpoint, { tellsTenant = false } = {}): Statement {
  const probe = endpoint.call.arguments({ path: {}, query: {}, body: {} })
  const count = probe.length + (endpoint.isIdempotent ? 2 : 0)
  const entry = isTraced(endpoint) ? 'auth.enter_traced($1, $2, $3)' : 'auth.enter($1, $2)'
  const next = isTraced(endpoint) ? 4 : 3
  const placeholders = Array.from({ length: count }, (_, index) => `, $${index + next}`)
  return {
    name: endpoint.operation,
    ...(tellsTenant ? { preparedAs: `${endpoint.operation}__tenant` } : {}),
    isQuick: endpoint.isQuick ?? false,
    text:
      'select reply.status, reply.body, reply.is_replay' +
      (tellsTenant ? ', auth.tenant_id() as tenant_id ' : ' ') +
      `from ${endpoint.call.function}(${entry}${placeholders.join('')}) as reply`,
  }
}
