// Who asks: the token of the Authorization header, known to the database by its digest.
// The digest goes along with every statement as a setting, and the policies make the
// tenants from it; nothing here names a tenant.
import type { IncomingMessage } from 'node:http'
import type pg from 'pg'
import { isAnalystToken } from '../analyst_token.ts'
import { toApiError } from '../database/errors.ts'
import { bearerToken } from '../http/credentials.ts'
import { ApiError } from '../http/errors.ts'
import { tokenDigest } from '../secret_token.ts'

/** What a query may take, from its first statement to its last. */
export const usualQueryMs = 10_000

export type Analyst = {
  /** Id of the token, for the log. */
  id: string
  settings: Record<string, string>
}

/** The analyst of a request. Throws 401, and 503 when the database isn't there. */
export async function authenticate(
  pool: pg.Pool,
  request: IncomingMessage,
  queryMs: number,
): Promise<Analyst> {
  const token = bearerToken(request)
  if (!token) throw unauthorized(false)
  if (!isAnalystToken(token)) throw unauthorized(true)
  const digest = tokenDigest(token)
  try {
    const { rows } = await pool.query<{ id: string }>({
      name: 'enter_analyst',
      text: 'select auth.enter_analyst($1) as id',
      values: [digest],
    })
    return { id: rows[0]?.id ?? '', settings: settingsOf(digest, queryMs) }
  } catch (error) {
    const answer = toApiError(error)
    throw answer.code === 'unauthorized' ? unauthorized(true) : answer
  }
}

// Settings of each transaction that a query makes. The time-out is read when a
// transaction begins: what is left of the query's time is all that its statements get.
function settingsOf(digest: Buffer, queryMs: number): Record<string, string> {
  const end = performance.now() + queryMs
  return {
    'svc.analyst_digest': digest.toString('hex'),
    role: 'none',
    transaction_read_only: 'on',
    timezone: 'UTC',
    get statement_timeout() {
      return String(Math.max(1, Math.ceil(end - performance.now())))
    },
  }
}

function unauthorized(wasSent: boolean): ApiError {
  const challenge = 'Bearer realm="analytics"'
  return new ApiError(
    'unauthorized',
    wasSent
      ? 'This analyst token is not valid here.'
      : 'Send an analyst token: Authorization: Bearer svc_analyst_….',
    {
      headers: {
        'WWW-Authenticate': wasSent ? `${challenge}, error="invalid_token"` : challenge,
      },
    },
  )
}
