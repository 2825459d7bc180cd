// The key itself. Health needs no key and no database: see app.ts.
import type { Endpoint } from '../http/endpoint.ts'
import { identity } from '../schemas/service.ts'

export const serviceEndpoints: Endpoint[] = [
  {
    operation: 'read_identity',
    tag: 'Service',
    method: 'get',
    path: '/me',
    summary: 'Who am I',
    description: 'The key you sent, its company and its scopes. Any valid key may ask.',
    scope: null,
    call: { function: 'api.read_identity', arguments: () => [] },
    responses: { 200: { description: 'The key and its company.', schema: identity } },
    errors: [],
  },
]
