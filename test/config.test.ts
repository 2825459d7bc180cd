// A start with a bad setting ends with one line that says which, what was found and what
// is allowed, and gives no secret away.
import { describe, expect, it } from '@jest/globals'
import { ConfigError, environmentHelp, readConfig } from '../src/config.ts'

const names = Object.keys(readConfig({}))

/** A value that each variable refuses, with what may be shown of it. */
const bad: Record<string, [value: string, shown: string]> = {
  PORT: ['eighty', '"eighty"'],
  INTERNAL_PORT: ['65536', '"65536"'],
  DATABASE_URL: ['mysql://me:hunter2@db/app', 'not usable ("mysql:…")'],
  API_DATABASE_URL: ['hunter2', 'no URL'],
  WORKER_DATABASE_URL: ['http://me:hunter2@db', 'not usable ("http:…")'],
  ANALYTICS_DATABASE_URL: ['//hunter2', 'no URL'],
  SVC_ENVIRONMENT: ['prod', '"prod"'],
  WORKER: ['on', '"on"'],
  WEBHOOK_ALLOWED_CIDRS: ['10.0.0.0/99', '"10.0.0.0/99"'],
  WEBHOOK_SECRET_KEY: ['hunter2', 'a text of 7 characters'],
  WEBHOOK_RETENTION_DAYS: ['0', '"0"'],
  CLAMD_URL: ['clamd:3310', '"clamd:3310"'],
  DOCUMENT_STORE: ['file:///hunter2', 'not usable ("file:…")'],
  UPLOAD_CONCURRENCY: ['65', '"65"'],
  SLOW_STATEMENT_MS: ['-1', '"-1"'],
  STAGING_BASE_URL: ['staging.example', '"staging.example"'],
  RATE_LIMIT_PER_MINUTE: ['-1', '"-1"'],
  IDEMPOTENCY_RETENTION_HOURS: ['1.5', '"1.5"'],
  LOG_LEVEL: ['loud', '"loud"'],
  MAX_CONNECTIONS: ['9', '"9"'],
  SHUTDOWN_DELAY_SECONDS: ['16', '"16"'],
  OTEL_SDK_DISABLED: ['yes', '"yes"'],
  OTEL_TRACES_EXPORTER: ['zipkin', '"zipkin"'],
  OTEL_EXPORTER_OTLP_PROTOCOL: ['grpc', '"grpc"'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', '"collector:4318"'],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ['collector', '"collector"'],
  OTEL_EXPORTER_OTLP_HEADERS: ['hunter2', 'a text of 7 characters'],
  OTEL_EXPORTER_OTLP_TIMEOUT: ['0', '"0"'],
  OTEL_RESOURCE_ATTRIBUTES: ['staging', '"staging"'],
}

const messageOf = (environment: NodeJS.ProcessEnv): string => {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('a bad value', () => {
  it.each(Object.entries(bad))('of %s is named with what was found and what is allowed', (name, [value, shown]) => {
    const message = messageOf({ [name]: value })
    expect(message.startsWith(`${name} is ${shown}; allowed: `)).toBe(true)
    expect(message.split('\n')).toHaveLength(1)
    expect(message).not.toContain('hunter2')
  })

  it('is known of each variable that does not take any text', () => {
    expect(names.filter((name) => !(name in bad))).toEqual(['HOST', 'DATA_DIR', 'OTEL_SERVICE_NAME'])
  })
})

describe('an empty value', () => {
  it.each(names)('of %s counts as unset', (name) => {
    expect(readConfig({ [name]: '' })).toEqual(readConfig({}))
  })
})

describe('--help', () => {
  it.each(names)('names %s', (name) => {
    expect(environmentHelp()).toContain(`  ${name} `)
  })
})
