// The environment, read once and checked. A bad value stops the start with one line
// that says which variable, what was found and what is allowed. Nothing else reads
// process.env.
import { resolve } from 'node:path'
import * as z from 'zod'
import { isClamdUrl } from './documents/clamd_url.ts'
import { isStoreUrl } from './documents/store_url.ts'
import { areRanges } from './webhooks/address_guard.ts'

const port = z.coerce.number().int().min(0).max(65535)
const url = (protocols: string[]) =>
  z.url({ protocol: new RegExp(`^(${protocols.join('|')})$`) })

// Percent-encoded values, as OpenTelemetry has them.
const pairs = z.string().regex(/^(\s*[^=,\s]+=([^%,]|%[0-7][0-9a-f])*(,|$))*$/i)

const variables = {
  HOST: { schema: z.string().min(1), fallback: '127.0.0.1', allowed: 'an address to listen on' },
  PORT: { schema: port, fallback: 3000, allowed: 'a port, 0 to 65535 (0: any free one)' },
  INTERNAL_PORT: { schema: port, fallback: 3001, allowed: 'a port, 0 to 65535 (0: any free one)' },
  MAX_CONNECTIONS: { schema: z.coerce.number().int().min(10).max(1_000_000), fallback: 2000, allowed: 'connections of callers at once, 10 to 1000000' },
  SHUTDOWN_DELAY_SECONDS: { schema: z.coerce.number().int().min(0).max(15), fallback: 5, allowed: 'seconds of serving on after a signal to stop, 0 to 15' },
  DATABASE_URL: { schema: url(['postgres', 'postgresql']), allowed: 'a postgres:// URL' },
  API_DATABASE_URL: { schema: url(['postgres', 'postgresql']), allowed: 'a postgres:// URL' },
  WORKER_DATABASE_URL: { schema: url(['postgres', 'postgresql']), allowed: 'a postgres:// URL' },
  ANALYTICS_DATABASE_URL: { schema: url(['postgres', 'postgresql']), allowed: 'a postgres:// URL' },
  DATA_DIR: { schema: z.string().min(1), fallback: './data', allowed: 'a folder' },
  SVC_ENVIRONMENT: { schema: z.enum(['staging', 'production']), fallback: 'staging', allowed: 'staging or production' },
  WORKER: { schema: z.enum(['in-process', 'off']), fallback: 'in-process', allowed: 'in-process or off' },
  WEBHOOK_ALLOWED_CIDRS: { schema: z.string().refine(areRanges), fallback: '', allowed: 'address ranges such as 10.0.0.0/8, comma-separated' },
  WEBHOOK_SECRET_KEY: { schema: z.base64().length(44), allowed: '32 bytes in base64' },
  WEBHOOK_RETENTION_DAYS: { schema: z.coerce.number().int().min(1).max(3650), fallback: 30, allowed: 'days, 1 to 3650' },
  CLAMD_URL: { schema: z.string().refine(isClamdUrl), allowed: 'tcp://host:port or unix:/path' },
  DOCUMENT_STORE: { schema: z.string().refine(isStoreUrl), fallback: 'postgres', allowed: 'postgres or s3://bucket?endpoint=https://…&region=…' },
  UPLOAD_CONCURRENCY: { schema: z.coerce.number().int().min(1).max(64), fallback: 4, allowed: 'uploads in memory at once, 1 to 64' },
  STAGING_BASE_URL: { schema: url(['http', 'https']), allowed: 'an http(s) URL' },
  RATE_LIMIT_PER_MINUTE: { schema: z.coerce.number().int().min(0).max(1_000_000), fallback: 600, allowed: 'requests per minute and key, 0 for no limit' },
  IDEMPOTENCY_RETENTION_HOURS: { schema: z.coerce.number().int().min(1).max(8760), fallback: 24, allowed: 'hours, 1 to 8760' },
  SLOW_STATEMENT_MS: { schema: z.coerce.number().int().min(0).max(60_000), fallback: 1000, allowed: 'milliseconds, 0 to 60000' },
  LOG_LEVEL: { schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), fallback: 'info', allowed: 'fatal, error, warn, info, debug, trace or silent' },
  OTEL_SDK_DISABLED: { schema: z.enum(['true', 'false']), fallback: 'false', allowed: 'true or false' },
  OTEL_TRACES_EXPORTER: { schema: z.enum(['otlp', 'none']), fallback: 'otlp', allowed: 'otlp or none' },
  OTEL_EXPORTER_OTLP_PROTOCOL: { schema: z.enum(['http/json']), fallback: 'http/json', allowed: 'http/json' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { schema: url(['http', 'https']), allowed: 'an http(s) URL' },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { schema: url(['http', 'https']), allowed: 'an http(s) URL' },
  OTEL_EXPORTER_OTLP_HEADERS: { schema: pairs, fallback: '', allowed: 'name=value, comma-separated' },
  OTEL_EXPORTER_OTLP_TIMEOUT: { schema: z.coerce.number().int().min(1).max(60_000), fallback: 10_000, allowed: 'milliseconds, 1 to 60000' },
  OTEL_SERVICE_NAME: { schema: z.string().min(1), fallback: 'appraisal-public-api', allowed: 'a name' },
  OTEL_RESOURCE_ATTRIBUTES: { schema: pairs, fallback: '', allowed: 'name=value, comma-separated' },
} as const

type Variables = typeof variables
export type Config = {
  [Name in keyof Variables]: Variables[Name] extends { fallback: unknown }
    ? z.output<Variables[Name]['schema']>
    : z.output<Variables[Name]['schema']> | undefined
}

export class ConfigError extends Error {}

/** Reads the environment. Throws ConfigError with one line on the first bad value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const entries = Object.entries(variables).map(([name, variable]) => {
    // Empty counts as unset, as in a compose file.
    const given = environment[name] || undefined
    const value = given ?? ('fallback' in variable ? variable.fallback : undefined)
    const result = variable.schema.optional().safeParse(value)
    if (!result.success) {
      throw new ConfigError(
        `${name} is ${shown(name, given ?? '')}; allowed: ${variable.allowed}.`,
      )
    }
    return [name, result.data]
  })
  const config = Object.fromEntries(entries) as Config
  return { ...config, DATA_DIR: resolve(config.DATA_DIR) }
}

// Of what may hold a password or is a secret, only as much as tells what kind it is.
function shown(name: string, value: string): string {
  if (name.endsWith('_KEY') || name.endsWith('_HEADERS')) return `a text of ${value.length} characters`
  if (!hasPassword(name)) return JSON.stringify(value)
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(value)?.[0]
  return scheme === undefined ? 'no URL' : `not usable ("${scheme}…")`
}

const hasPassword = (name: string): boolean =>
  name.endsWith('DATABASE_URL') || name === 'DOCUMENT_STORE'

/** The variables with what they may be, for --help. */
export const environmentHelp = (): string =>
  Object.entries(variables)
    .map(([name, variable]) => {
      const fallback = 'fallback' in variable && variable.fallback !== '' ? ` (${variable.fallback})` : ''
      return `  ${name.padEnd(36)}${variable.allowed}${fallback}`
    })
    .join('\n')
