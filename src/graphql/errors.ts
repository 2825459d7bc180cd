// Errors of a query as the analyst sees them. What GraphQL itself says about a query goes
// through; whatever the database said is masked, logged, and found by the request's id.
import type { Logger } from 'pino'
import { GraphQLError } from 'postgraphile/graphql'
import { isUnavailable } from '../database/errors.ts'
import { refusal } from './refusal.ts'

/** What an analyst sees of an error of a query, with the request's id. */
export function publicError(error: GraphQLError, requestId: string, log: Logger): GraphQLError {
  const { message, extensions } = shownError(error, requestId, log)
  return withRequestId(
    new GraphQLError(message, { nodes: error.nodes ?? null, path: error.path ?? null, extensions }),
    requestId,
  )
}

export const withRequestId = (error: GraphQLError, requestId: string): GraphQLError =>
  new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    extensions: { ...error.extensions, request_id: requestId },
  })

function shownError(error: GraphQLError, requestId: string, log: Logger): GraphQLError {
  const { originalError } = error
  if (!originalError || originalError instanceof GraphQLError) return error
  const code = (originalError as { code?: string }).code
  if (code === '57014') {
    return refusal('query_timeout', 'The query took longer than 10 s and was ended. Ask for less.')
  }
  // A value that the schema's types let through and PostgreSQL doesn't: a date, a number.
  if (code?.startsWith('22')) {
    return refusal('invalid_value', 'A value in this query is not one that its field can have.')
  }
  log.error({ request_id: requestId, err: originalError }, 'query failed')
  return isUnavailable(originalError)
    ? refusal('service_unavailable', 'The database can\'t answer now. Try again shortly.')
    : refusal('internal_error', 'Something went wrong on our side.')
}
