// What of an OpenAPI document types depend on, and its hash. schema.d.ts is made from
// that part alone and holds its hash, so that a test can tell whether the two still fit.
import { createHash } from 'node:crypto'

const words = new Set(['description', 'summary', 'example', 'examples', 'title', 'tags', 'info', 'servers'])

/** A copy of a document without words for people. */
export function typesOf(part: unknown, isNames = false): unknown {
  if (Array.isArray(part)) return part.map((item) => typesOf(item))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part)
      // A property may have any name.
      .filter(([name]) => isNames || !(words.has(name) || name.startsWith('x-')))
      .map(([name, value]) => [name, typesOf(value, name === 'properties')]),
  )
}

export const fingerprintOf = (document: unknown): string =>
  createHash('sha256').update(JSON.stringify(typesOf(document))).digest('hex')
