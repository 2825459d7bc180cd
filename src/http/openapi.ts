// The OpenAPI document, made from the endpoints and their schemas, so that it says what
// the service does. Tests hold every answer that they get against it.
import * as z from 'zod'
import { type ZodOpenApiObject, type ZodOpenApiOperationObject, createDocument } from 'zod-openapi'
import packageJson from '../../package.json' with { type: 'json' }
import { endpoints } from '../api/index.ts'
import { publicEndpoints } from '../api/service.ts'
import { type Endpoint, type PublicEndpoint, type Upload, tags } from './endpoint.ts'
import { headers, refusals, successes } from './openapi_answers.ts'
import { introduction } from './openapi_introduction.ts'
import { keepMeta, tidy } from './openapi_schema.ts'
import { webhookItems } from './openapi_webhooks.ts'
import { openRefusals, refusalsOf } from './refusals.ts'

export const basePath = '/public/v1'

export type OpenApiDocument = ReturnType<typeof createDocument>

/** The document of the version that runs. */
export function openApiDocument(): OpenApiDocument {
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Appraisal quoting and directory API',
      version: packageJson.version,
      description: introduction(),
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'Where this document came from.' }],
    tags: usedTags(),
    paths: paths(),
    webhooks: webhookItems(),
    components: { headers, securitySchemes },
  }
  return tidy(createDocument(document, { override: keepMeta }))
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_test_… or svc_live_…',
    description: 'The API key. It wins when both headers are sent.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-SVC-Api-Key',
    description: 'The API key, for callers that can\'t set Authorization.',
  },
} as const

function usedTags(): { name: string; description: string }[] {
  const used = new Set<string>([...publicEndpoints, ...endpoints].map(({ tag }) => tag))
  return Object.entries(tags)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}

function paths(): NonNullable<ZodOpenApiObject['paths']> {
  const items: NonNullable<ZodOpenApiObject['paths']> = {}
  const add = (path: string, method: Endpoint['method'], operation: ZodOpenApiOperationObject) => {
    items[basePath + path] = { ...items[basePath + path], [method]: operation }
  }
  for (const endpoint of publicEndpoints) add(endpoint.path, 'get', publicOperation(endpoint))
  for (const endpoint of endpoints) add(endpoint.path, endpoint.method, operation(endpoint))
  return items
}

function publicOperation(endpoint: PublicEndpoint): ZodOpenApiOperationObject {
  return {
    ...headOf(endpoint),
    security: [],
    parameters: [requestIdHeader],
    responses: { ...successes(endpoint, false), ...refusals(openRefusals, false) },
  }
}

function operation(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { scope } = endpoint
  const needs = scope ? `Needs the scope \`${scope}\`.` : 'Needs a valid key and no scope.'
  const scopes = scope ? [scope] : []
  return {
    ...headOf(endpoint),
    description: `${endpoint.description}\n\n${needs}`,
    security: [{ bearer: scopes }, { apiKey: scopes }],
    ...(scope ? { 'x-required-scope': scope } : {}),
    parameters: [
      ...(endpoint.isIdempotent ? [idempotencyKeyHeader] : []),
      requestIdHeader,
    ],
    requestParams: {
      ...(endpoint.path_parameters ? { path: endpoint.path_parameters } : {}),
      ...(endpoint.query ? { query: endpoint.query } : {}),
    },
    ...(endpoint.body ? { requestBody: jsonBody(endpoint.body) } : {}),
    ...(endpoint.upload ? { requestBody: formBody(endpoint.upload) } : {}),
    responses: { ...successes(endpoint, true), ...refusals(refusalsOf(endpoint), true) },
  }
}

const headOf = ({ operation, tag, summary, description }: PublicEndpoint) => ({
  operationId: operation,
  tags: [tag],
  summary,
  description,
})

function jsonBody(schema: z.ZodType) {
  const example = z.globalRegistry.get(schema)?.examples?.[0]
  return { required: true, content: { 'application/json': { schema, example } } }
}

function formBody({ fields, contentTypes }: Upload) {
  const file = z.string().meta({ format: 'binary', description: 'The file itself.' })
  const schema = z.strictObject({ file, ...fields.shape })
  const encoding = { file: { contentType: contentTypes.join(', ') } }
  return { required: true, content: { 'multipart/form-data': { schema, encoding } } }
}

const idempotencyKeyHeader = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: true,
  description:
    'A key of your own for this request, new for each new one and the same when you repeat ' +
    'it: 1 to 255 visible ASCII characters, bare or quoted.',
  schema: { type: 'string' as const, minLength: 1 },
  example: '2f1c9a52-7c1d-4d0e-9a4b-0b6a1a4a6f3e',
}

const requestIdHeader = {
  name: 'X-Request-Id',
  in: 'header' as const,
  required: false,
  description:
    'Your own id for this request. It comes back on the answer; one that does not fit is replaced.',
  schema: { type: 'string' as const, pattern: '^[A-Za-z0-9._-]{1,128}$' },
}
