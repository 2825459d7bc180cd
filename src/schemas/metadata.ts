// A caller's own JSON object, kept as sent. Its size is that of its compact form.
import * as z from 'zod'

const maxBytes = 8192

// Deeper than anybody's own data; PostgreSQL's parser has a stack, too.
const maxDepth = 64

export const metadata = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => {
    const fault = metadataFault(value)
    if (fault) context.addIssue({ code: 'custom', message: fault.msg, params: { type: fault.type } })
  })
  .meta({ description: `Your own JSON object, at most ${maxBytes} bytes as compact UTF-8.` })

function metadataFault(value: Record<string, unknown>): { msg: string; type: string } | null {
  if (depthOf(value, 0) > maxDepth) {
    return { msg: `nested deeper than ${maxDepth} levels`, type: 'too_deep' }
  }
  const json = JSON.stringify(value)
  if (Buffer.byteLength(json) > maxBytes) {
    return { msg: `at most ${maxBytes} bytes of JSON`, type: 'object_too_large' }
  }
  // JSON.stringify escapes exactly what PostgreSQL can't store: U+0000, lone surrogates.
  return /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(json)
    ? { msg: 'must not hold U+0000 or broken surrogates', type: 'string_characters' }
    : null
}

function depthOf(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return depth
  return Object.values(value).reduce<number>(
    (deepest, part) => Math.max(deepest, depthOf(part, depth + 1)),
    depth + 1,
  )
}
