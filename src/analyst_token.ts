// The token that an analyst presents to /graphql.
import { type NewToken, isToken, makeToken } from './secret_token.ts'

const head = 'svc_analyst_'

/** Makes an analyst's token; its prefix has 16 characters. */
export const makeAnalystToken = (): NewToken => makeToken(head)

/** Whether a text is a well-formed analyst token. */
export const isAnalystToken = (text: string): boolean => isToken(head, text)
