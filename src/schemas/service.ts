// Answers about the service and the key itself.
import * as z from 'zod'
import { environments, scopes } from '../api_key.ts'
import { uuid } from './common.ts'

export const health = z
  .strictObject({ status: z.literal('ok'), version: z.string() })
  .meta({ id: 'Health', examples: [{ status: 'ok', version: '0.1.0' }] })

export const document = z
  .looseObject({ openapi: z.string(), info: z.looseObject({ version: z.string() }) })
  .meta({
    id: 'OpenApiDocument',
    examples: [{ openapi: '3.1.0', info: { title: 'Appraisal API', version: '0.1.0' }, paths: {} }],
  })

export const identity = z
  .strictObject({
    tenant_id: uuid,
    tenant_slug: z.string(),
    tenant_name: z.string(),
    key_name: z.string(),
    key_prefix: z.string(),
    scopes: z.array(z.enum(scopes)),
    environment: z.enum(environments),
  })
  .meta({
    id: 'KeyIdentity',
    examples: [
      {
        tenant_id: '019a4c1e-0a11-7d20-9b3c-6f5e4d3c2b1a',
        tenant_slug: 'acme',
        tenant_name: 'Acme Appraisal',
        key_name: 'website',
        key_prefix: 'svc_test_Ab3d',
        scopes: ['products:read', 'fees:read', 'quotes:write'],
        environment: 'test',
      },
    ],
  })
