// Answers about the service and the key itself.
import * as z from 'zod'
import { environments, scopes } from '../api_key.ts'
import { uuid } from './common.ts'

export const health = z
  .strictObject({ status: z.literal('ok'), version: z.string() })
  .meta({ id: 'Health' })

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
  .meta({ id: 'KeyIdentity' })
