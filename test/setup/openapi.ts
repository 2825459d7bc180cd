// Holds answers against the OpenAPI document: status, headers and body must be just what
// the document says of the operation. Addresses and methods that it doesn't have answer
// 404 and 405, which the document says once for all of them.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openApiDocument } from '../../src/http/openapi.ts'
import type { Answer } from './api.ts'
import { noteReached } from './reached.ts'

type Header = { required?: boolean; schema?: { type?: string } }
type Response = { headers?: Record<string, Header | { $ref: string }>; content?: object }
type Operation = { operationId: string; responses: Record<string, Response> }

const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  paths: Record<string, Record<string, Operation>>
  components: { headers: Record<string, Header> }
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi')

// Headers of HTTP itself, and those that every answer has.
const generalHeaders = new Set([
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'x-content-type-options',
])

// The longest literal start first, so that /organizations/batch isn't taken for an id.
const routes = Object.keys(document.paths)
  .sort((a, b) => b.replace(/\{.*/, '').length - a.replace(/\{.*/, '').length)
  .map((path) => ({ path, form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))

/** Throws when the document knows the operation and not this answer to it. */
export function requireDocumented(method: string, target: string, answer: Answer): void {
  const address = target.split('?')[0] ?? ''
  const path = routes.find(({ form }) => form.test(address))?.path
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const operation = path === undefined ? undefined : document.paths[path]?.[verb]
  if (path === undefined || operation === undefined) return

  const problems = problemsOf(operation, path, verb, answer, method === 'HEAD')
  if (problems.length > 0) {
    throw new Error(
      `${method} ${target} answered ${answer.status} ${answer.text}\n` +
        `which the OpenAPI document doesn't have: ${problems.join('; ')}`,
    )
  }
  noteReached(operation.operationId, answer.status)
}

function problemsOf(
  operation: Operation,
  path: string,
  verb: string,
  answer: Answer,
  isHead: boolean,
): string[] {
  const response = operation.responses[answer.status]
  if (!response) return [`no status ${answer.status} for ${operation.operationId}`]
  const pointer = ['paths', path, verb, 'responses', String(answer.status)]
  return [
    ...headerProblems(response, answer),
    ...(isHead ? [] : bodyProblems(pointer, answer)),
    ...(answer.status >= 400 && !isHead ? envelopeProblems(answer as Answer<Envelope>) : []),
  ]
}

function headerProblems(response: Response, answer: Answer): string[] {
  const documented = Object.entries(response.headers ?? {}).map(
    ([name, header]) => [name, '$ref' in header ? resolve(header.$ref) : header] as const,
  )
  const known = new Set(documented.map(([name]) => name.toLowerCase()))
  const unknown = [...answer.headers.keys()].filter(
    (name) => !known.has(name) && !generalHeaders.has(name),
  )
  return [
    ...unknown.map((name) => `header ${name} is not documented`),
    ...documented.flatMap(([name, header]) =>
      headerProblem(name, header, answer.headers.get(name)),
    ),
  ]
}

const resolve = (reference: string): Header =>
  document.components.headers[reference.split('/').at(-1) ?? ''] ?? {}

function headerProblem(name: string, header: Header, value: string | null): string[] {
  if (value === null) return header.required ? [`header ${name} is missing`] : []
  const typed = header.schema?.type === 'integer' ? Number(value) : value
  return ajv.validate(header.schema ?? {}, typed) ? [] : [`header ${name} is ${value}`]
}

function bodyProblems(pointer: string[], answer: Answer): string[] {
  const type = answer.headers.get('content-type')
  if (type !== 'application/json; charset=utf-8') return [`content-type is ${type}`]
  const validate = validatorOf([...pointer, 'content', 'application/json', 'schema'])
  return validate(answer.body)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, params }) =>
        `body${instancePath} ${message} ${JSON.stringify(params)}`,
      )
}

const validators = new Map<string, ValidateFunction>()

function validatorOf(pointer: string[]): ValidateFunction {
  const escaped = pointer.map((part) =>
    encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
  )
  const reference = `openapi#/${escaped.join('/')}`
  const known = validators.get(reference) ?? ajv.compile({ $ref: reference })
  validators.set(reference, known)
  return known
}

type Envelope = { code: string; request_id: string; detail?: { loc: unknown[] }[] }

// What the schema of a status can't say of each of its codes.
function envelopeProblems({ headers, body }: Answer<Envelope>): string[] {
  const isInvalid = body.code === 'validation_error'
  const places = (body.detail ?? []).map(({ loc }) => String(loc[0]))
  const isRetryable = [
    'idempotency_in_progress', 'rate_limited', 'scanner_unavailable', 'service_unavailable',
  ].includes(body.code)
  return [
    body.request_id === headers.get('x-request-id') ? '' : 'request_id is not X-Request-Id',
    isInvalid === (body.detail !== undefined) ? '' : 'detail goes with validation_error only',
    places.every((place) => ['body', 'query', 'path', 'header'].includes(place)) ? '' : 'bad loc',
    isRetryable === headers.has('retry-after') ? '' : 'Retry-After goes with what is worth a retry',
  ].filter((problem) => problem !== '')
}
