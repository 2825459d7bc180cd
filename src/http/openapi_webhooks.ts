// Webhooks as OpenAPI shows them, each with one whole request that a reader can check
// against a verifier: its secret is published and signs nothing else.
import { createSecretKey } from 'node:crypto'
import * as z from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathItemObject } from 'zod-openapi'
import { signedHeaders } from '../../worker/delivery/signature.ts'
import { webhooks } from '../schemas/webhooks.ts'
import { secretBytes } from '../webhooks/secret.ts'

const demoSecret = `whsec_${Buffer.from('a secret that signs examples only').toString('base64')}`

const reliability = `
Signed by the Standard Webhooks scheme: \`webhook-signature\` holds \`v1,\` and the base64 of
HMAC-SHA256 over \`webhook-id.webhook-timestamp.body\`, keyed with what your secret has after
\`whsec_\`, decoded from base64. Use the body as it arrived. While a secret is being rotated there
are two signatures with a space between.

Delivered at least once and in any order: \`webhook-id\` is the same on every attempt. Answer 2xx
within 15 seconds; anything else is tried again over three days. 410 disables the endpoint.`

/** Event type -> the request that an endpoint receives. */
export function webhookItems(): Record<string, ZodOpenApiPathItemObject> {
  return Object.fromEntries(
    Object.entries(webhooks).map(([type, webhook]) => [type, { post: operationOf(type, webhook) }]),
  )
}

type Webhook = (typeof webhooks)[keyof typeof webhooks]

function operationOf(type: string, webhook: Webhook): ZodOpenApiOperationObject {
  const { schema, summary, description } = webhook
  const body = z.globalRegistry.get(schema)?.examples?.[0]
  const sample = signedSample(JSON.stringify(body))
  return {
    operationId: `receive_${type.replace('.', '_')}`,
    summary,
    description: `${description}\n${reliability}`,
    security: [],
    parameters: [
      parameter('webhook-id', 'The event\'s id, the same on every attempt.', sample),
      parameter('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', sample),
      parameter('webhook-signature', 'One or more signatures with a space between.', sample),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: body } },
    },
    responses: {
      '2XX': { description: 'Received. Do slow work after the answer.' },
      '410': { description: 'Gone: the endpoint is disabled.' },
      default: { description: 'Not received. The delivery is tried again later.' },
    },
    'x-signed-example': sample,
  }
}

type Sample = { secret: string; headers: Record<string, string>; body: string }

const parameter = (name: string, description: string, sample: Sample) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
  example: sample.headers[name],
})

const demoMessage = { id: '019a4c1e-a5d0-7f63-b0c9-4d7e2a8f1b36', timestamp: 1_793_631_846 }

function signedSample(body: string): Sample {
  const all = signedHeaders({ ...demoMessage, body }, [createSecretKey(secretBytes(demoSecret))])
  const signed = Object.entries(all).filter(([name]) => name.startsWith('webhook-'))
  return { secret: demoSecret, headers: Object.fromEntries(signed), body }
}
