// Standard Webhooks: what is sent and how it is signed.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { type KeyObject, createHmac } from 'node:crypto'

export type Message = { id: string; timestamp: number; body: string }

/** The body of an event: `data` is JSON text as the database has it. */
export function bodyOf(event: { type: string; time: string; data: string }): string {
  return `{"type":${JSON.stringify(event.type)},"timestamp":"${event.time}","data":${event.data}}`
}

/** The headers of an attempt, signed with each of the keys. */
export function signedHeaders(message: Message, keys: KeyObject[]): Record<string, string> {
  const content = `${message.id}.${message.timestamp}.${message.body}`
  return {
    'content-type': 'application/json',
    'user-agent': 'appraisal-public-api-webhooks',
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': keys.map((key) => sign(content, key)).join(' '),
  }
}

const sign = (content: string, key: KeyObject): string =>
  `v1,${createHmac('sha256', key).update(content).digest('base64')}`
