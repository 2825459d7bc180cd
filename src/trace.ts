// W3C Trace Context: a request's place in a trace that may have begun elsewhere and goes on
// in the webhooks that it causes. https://www.w3.org/TR/trace-context/
import { randomUUID } from 'node:crypto'

export type TraceContext = {
  /** 32 hexadecimal digits. */
  traceId: string
  /** Of the span that is ours, 16 hexadecimal digits. */
  spanId: string
  /** Of the caller's span; null where the trace begins here. */
  parentId: string | null
  /** Two hexadecimal digits. */
  flags: string
}

// Version 00 ends here; a later one may say more, after another dash.
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

const sampled = 0x01

/** A new span in the trace of a traceparent; in a trace of its own when there is no usable one. */
export function nextSpan(traceparent: string | null | undefined): TraceContext {
  const [, version, traceId, parentId, flags = '00', rest] = form.exec(traceparent ?? '') ?? []
  const spanId = randomHex().slice(-16)
  if (!traceId || !parentId || (version === '00' && rest !== undefined)) {
    return { traceId: randomHex(), spanId, parentId: null, flags: '01' }
  }
  const known = Number.parseInt(flags, 16) & sampled
  return { traceId, spanId, parentId, flags: `0${known}` }
}

/** What the next one in the trace gets. */
export const traceparentOf = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${flags}`

/** Whether whoever began the trace wants it recorded. */
export const isSampled = ({ flags }: TraceContext): boolean => flags === '01'

/** 32 digits. Node keeps random bytes for UUIDs in store, and asks for others one by one. */
const randomHex = (): string => randomUUID().replaceAll('-', '')
