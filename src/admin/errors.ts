// What an operator reads when a command fails: one line that says what to do. The code
// is for scripts (`--json`); a fault that nobody foresaw shows its own message, as the
// reader is the administrator and has the database's keys anyway.
import { CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { isUnavailable } from '../database/errors.ts'
import { DatabaseRefusal } from '../database/schema_state.ts'

export class AdminError extends Error {
  readonly code: string
  readonly detail: unknown

  constructor(code: string, message: string, detail?: unknown) {
    super(message)
    this.code = code
    this.detail = detail
  }
}

/** A value on the command line that can't be meant. */
export const usageError = (message: string): AdminError => new AdminError('usage', message)

export const notFound = (message: string): AdminError => new AdminError('not_found', message)

type Fault = { code?: string; constraint?: string; message?: string; detail?: string }

/** Anything that was thrown, as an operator's error. */
export function toAdminError(error: unknown): AdminError {
  if (error instanceof AdminError) return error
  if (error instanceof CommanderError) return usageError(error.message.replace(/^error: /, ''))
  if (error instanceof ConfigError) return new AdminError('configuration', error.message)
  if (error instanceof DatabaseRefusal) return new AdminError('database_unusable', error.message)
  const fault = (typeof error === 'object' && error !== null ? error : {}) as Fault
  if (/^PT[0-9]{3}$/.test(fault.code ?? '')) {
    return new AdminError(fault.constraint ?? 'refused', fault.message ?? '', parsed(fault.detail))
  }
  const line = constraintLines[fault.constraint ?? '']
  if (line) return new AdminError(fault.constraint ?? '', line)
  return connectionError(fault) ?? new AdminError('failed', fault.message || String(error))
}

const constraintLines: Record<string, string> = {
  tenants_slug_key: 'Another tenant has this slug.',
  tenants_slug_check:
    'A slug is 1 to 63 of a-z, 0-9 and "-", with a letter or digit at both ends.',
  tenants_slug_is_not_all: 'The slug "all" stands for all tenants.',
  tenants_name_check: 'The name of a tenant has 1 to 200 characters.',
  api_keys_name_check: 'The name of a key has 1 to 120 characters.',
  quotes_turnaround_days_check: 'The turnaround is 0 to 3650 days.',
  analyst_tokens_name_check: 'The name of an analyst has 1 to 120 characters.',
}

function connectionError(fault: Fault): AdminError | null {
  if (fault.code === '28P01') {
    return new AdminError(
      'login_failed',
      'The database refuses the passwords of DATA_DIR: use the DATA_DIR of the server, ' +
        'or run `npm run migrate` to set them anew.',
    )
  }
  if (isUnavailable(fault)) {
    const reason = fault.code ?? fault.message ?? ''
    return new AdminError('database_unreachable', `The database doesn't answer (${reason}).`)
  }
  return null
}

const parsed = (detail: string | undefined): unknown =>
  detail === undefined ? undefined : (JSON.parse(detail) as unknown)

/** How many, with its noun. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`
