// A caller's own JSON object, kept as sent. Its size is that of its compact form.
import * as z from 'zod'
import { isExactNumber } from '../http/json.ts'

const maxBytes = 8192

// Deeper than anybody's own data; PostgreSQL's parser has a stack, too.
const maxDepth = 64

// Not z.record: it drops a property named __proto__, which is data like any other.
export const metadata = z
  .unknown()
  .superRefine((value, context) => {
    const fault = metadataFault(value)
    if (fault) context.addIssue({ code: 'custom', message: fault.msg, params: { type: fault.type } })
  })
  .meta({
    type: 'object',
    additionalProperties: true,
    description: `Your own JSON object, at most ${maxBytes} bytes as compact UTF-8.`,
  })

type MetadataFault = { msg: string; type: string }

function metadataFault(value: unknown): MetadataFault | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { msg: 'must be an object', type: 'object_type' }
  }
  const fault = partFault(value, 1)
  if (fault) return fault
  const json = JSON.stringify(value)
  if (Buffer.byteLength(json) > maxBytes) {
    return { msg: `at most ${maxBytes} bytes of JSON`, type: 'object_too_large' }
  }
  // JSON.stringify escapes exactly what PostgreSQL can't store: U+0000, lone surrogates.
  return /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(json)
    ? { msg: 'must not hold U+0000 or broken surrogates', type: 'string_characters' }
    : null
}

function partFault(value: unknown, depth: number): MetadataFault | null {
  if (isExactNumber(value)) return numberFault(JSON.stringify(value))
  if (typeof value !== 'object' || value === null) return null
  if (depth > maxDepth) return { msg: `nested deeper than ${maxDepth} levels`, type: 'too_deep' }
  for (const part of Object.values(value)) {
    const fault = partFault(part, depth + 1)
    if (fault) return fault
  }
  return null
}

// A double's range bounds what a few characters can grow to: PostgreSQL would print
// 1e99999 with all its zeros.
function numberFault(digits: string): MetadataFault | null {
  const number = Number(digits)
  const isInRange = Number.isFinite(number) && (number !== 0 || /^[^1-9]*(e|$)/i.test(digits))
  return isInRange ? null : { msg: 'holds a number out of range', type: 'number_range' }
}
