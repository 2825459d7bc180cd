// After all tests: what they must have reached together, and the server that global.ts
// started goes.
import { openApiDocument } from '../../src/http/openapi.ts'
import { unreached } from './reached.ts'

export default async function tearDown(config: Selection): Promise<void> {
  try {
    if (isWhole(config)) requireReached()
  } finally {
    await globalThis.stopTestDatabase?.()
  }
}

/** What chooses some tests out of all. */
type Selection = { testPathPatterns?: { patterns: string[] } }

function isWhole(config: Selection): boolean {
  const { testPathPatterns, testNamePattern, onlyChanged, findRelatedTests, shard } =
    config as Selection & Record<string, unknown>
  const isSelected = [testNamePattern, onlyChanged, findRelatedTests, shard].some(Boolean)
  return !isSelected && (testPathPatterns?.patterns ?? []).length === 0
}

function requireReached(): void {
  const missing = unreached(JSON.parse(JSON.stringify(openApiDocument())))
  if (missing.length === 0) return
  throw new Error(
    `The OpenAPI document has answers that no test has reached:\n  ${missing.join('\n  ')}`,
  )
}
