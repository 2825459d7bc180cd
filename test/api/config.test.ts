// A bad setting is told of in one line: which variable, what was found, what is allowed.
// What was found may be a secret, and then it isn't shown.
import { describe, expect, it } from '@jest/globals'
import { ConfigError, readConfig } from '../../src/config.ts'

const complaint = (environment: Record<string, string>): string => {
  try {
    readConfig(environment)
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
}

describe('a bad setting', () => {
  it.each([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['INTERNAL_PORT', '-1'],
    ['SVC_ENVIRONMENT', 'prod'],
    ['WORKER', 'on'],
    ['WEBHOOK_ALLOWED_CIDRS', '10.0.0.0/99'],
    ['WEBHOOK_RETENTION_DAYS', '0'],
    ['CLAMD_URL', 'http://127.0.0.1'],
    ['DOCUMENT_STORE', 'disk'],
    ['UPLOAD_CONCURRENCY', '65'],
    ['STAGING_BASE_URL', 'staging.example'],
    ['STAGING_BASE_URL', 'ftp://staging.example'],
    ['RATE_LIMIT_PER_MINUTE', 'many'],
    ['IDEMPOTENCY_RETENTION_HOURS', '0.5'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s is named with what was found and what is allowed', (name, value) => {
    const line = complaint({ [name]: value })
    expect(line).toMatch(new RegExp(`^${name} is ".*"; allowed: .+\\.$`))
    expect(line).toContain(JSON.stringify(value))
    expect(line).not.toContain('\n')
  })

  it.each([
    ['DATABASE_URL', 'mysql://ann:s3cret@db/app', '"mysql://…@db/app"'],
    ['DATABASE_URL', 'mysql://ann:s3cret@x@db/app?password=s3cret', '"mysql://…@db/app?…"'],
    ['API_DATABASE_URL', 's3cret', 'not a URL'],
    ['WEBHOOK_SECRET_KEY', 's3cret', 'a text of 6 characters'],
    ['DOCUMENT_STORE', 's4://b?secret=s3cret', '"s4://b?…"'],
    ['STAGING_BASE_URL', 'ftp://ann:s3cret@staging.example', '"ftp://…@staging.example"'],
  ])('%s=%s is named without its secrets', (name, value, found) => {
    const line = complaint({ [name]: value })
    expect(line).toMatch(new RegExp(`^${name} is `))
    expect(line).toContain(found)
    expect(line).not.toContain('s3cret')
  })
})
