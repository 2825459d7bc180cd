// The service and the key itself. What needs no key needs no database either: app.ts
// answers it by itself.
import type { Endpoint, PublicEndpoint } from '../http/endpoint.ts'
import { document, health, identity } from '../schemas/service.ts'

export const publicEndpoints: PublicEndpoint[] = [
  {
    operation: 'check_health',
    tag: 'Service',
    path: '/health',
    summary: 'Is the service up',
    description: 'Answers while the service runs. Needs no key.',
    responses: { 200: { description: 'The service runs.', schema: health } },
  },
  {
    operation: 'read_openapi',
    tag: 'Service',
    path: '/openapi.json',
    summary: 'This document',
    description: 'The OpenAPI description of the version that runs. Needs no key.',
    responses: { 200: { description: 'An OpenAPI 3.1 document.', schema: document } },
  },
]

export const serviceEndpoints: Endpoint[] = [
  {
    operation: 'read_identity',
    tag: 'Service',
    method: 'get',
    path: '/me',
    summary: 'Who am I',
    description: 'The key you sent, its company and its scopes. Any valid key may ask.',
    scope: null,
    isQuick: true,
    call: { function: 'api.read_identity', arguments: () => [] },
    responses: { 200: { description: 'The key and its company.', schema: identity } },
    errors: [],
  },
]
