// Sends requests made from the document, and keeps what was wrong with the answers.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type Answer, type TestApi, createApi } from '../setup/api.ts'
import { type FuzzRequest, type Known, type OperationName, addressOf, prepare, transportOf } from './requests.ts'
import { type OpenApi, type Schema, type Site, nameOf, operationsOf, sitesOf } from './schema.ts'

export type Target = OperationName & {
  sites: Site[]
  /** The schema of a JSON body. */
  schema: Schema | null
  /** Whether the document's schema takes a body. */
  takes: ValidateFunction | null
}

export type Drive = {
  api: TestApi
  document: OpenApi
  known: Known
  targets: Target[]
  /** How many requests there were. */
  sent(): number
  /** Sends a request; an answer that the document doesn't have, or a 5xx, is a problem. */
  send(request: FuzzRequest): Promise<Answer<any> | null>
  note(request: FuzzRequest, what: string): void
  /** Throws when there were problems, with some of them. */
  requireNone(): void
}

export async function createDrive(seed: number): Promise<Drive> {
  const api = await createApi()
  const document = (await api.send('GET', '/openapi.json', { key: '' })).body as OpenApi
  const known = await prepare(api)
  const problems: string[] = []
  let sent = 0
  const note = (request: FuzzRequest, what: string): void => {
    const { headers, body } = request
    const shown = `${JSON.stringify(headers)} ${JSON.stringify(body) ?? ''}`.slice(0, 700)
    problems.push(`${what.slice(0, 700)}\n  ${request.method} ${addressOf(request).slice(0, 200)} ${shown}`)
  }
  return {
    api,
    document,
    known,
    targets: targetsOf(document),
    sent: () => sent,
    note,
    send: async (request) => {
      sent += 1
      try {
        const answer = await api.send(request.method, addressOf(request), transportOf(request))
        if (answer.status >= 500) note(request, `${answer.status} ${answer.text}`)
        return answer
      } catch (error) {
        note(request, (error as Error).message)
        return null
      }
    },
    requireNone: () => {
      const some = problems.splice(0)
      if (some.length === 0) return
      throw new Error(`seed ${seed}: ${some.length} problems\n${some.slice(0, 20).join('\n')}`)
    },
  }
}

function targetsOf(document: OpenApi): Target[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  for (const format of ['email', 'binary', 'date', 'date-time']) ajv.addFormat(format, true)
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  ajv.addSchema(document, 'openapi')
  const validatorOf = (schema: Schema): ValidateFunction =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as Schema)
  return operationsOf(document).map(({ method, path, operation }) => {
    const sites = sitesOf(document, operation)
    const schema = operation.requestBody?.content['application/json']?.schema ?? null
    return {
      id: operation.operationId,
      method,
      path: path.replace('/public/v1', ''),
      isIdempotent: sites.some((site) => nameOf(site) === 'header.Idempotency-Key'),
      sites,
      schema,
      takes: schema ? validatorOf(schema) : null,
    }
  })
}

/** Works on eight values at a time, as many as the server's pool has connections. */
export async function eachOf<T>(values: T[], work: (value: T) => Promise<void>): Promise<void> {
  const queue = values.values()
  const lane = async (): Promise<void> => {
    for (const value of queue) await work(value)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

const gateCodes = new Set([
  'validation_error', 'idempotency_key_required', 'idempotency_key_invalid', 'missing_filter',
  'unsupported_media_type', 'invalid_json', 'payload_too_large', 'file_too_large',
])

/** Past the gates of form; a rule that needs a row may still have refused. */
export const isAccepted = ({ status, body }: Answer<any>): boolean =>
  status < 400 || !gateCodes.has(body.code)

/** Whether an answer refuses a place and nothing else. */
export function isRefusedAt({ body }: Answer<any>, { place, path }: Site): boolean {
  if (place === 'header') return String(body.code).startsWith('idempotency_key')
  const start = [place, ...path].join('.')
  const faults = (body.code === 'validation_error' ? body.detail : []) as { loc: unknown[] }[]
  return faults.length > 0 && faults.every(({ loc }) => `${loc.join('.')}.`.startsWith(`${start}.`))
}
