// What an analyst reads when a query is refused: a message of ours, a code to look up, and
// never a word of SQL.
import { GraphQLError } from 'postgraphile/graphql'

export type RefusalCode =
  | 'only_queries'
  | 'query_too_large'
  | 'query_too_expensive'
  | 'page_too_large'
  | 'too_many_groups'
  | 'query_timeout'
  | 'invalid_value'
  | 'service_unavailable'
  | 'internal_error'

/** An error that GraphQL clients read, with its code in `extensions`. */
export const refusal = (code: RefusalCode, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code } })
