// Which documented answers the tests have reached, over all processes of a run. After a
// whole run each one must have been: a status that no test can bring about is either
// untested or not true.
import { appendFileSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const variable = 'REACHED_ANSWERS'

/** Before all tests: where their processes write to. */
export function collectReached(folder: string): void {
  const target = join(folder, 'reached')
  mkdirSync(target)
  process.env[variable] = target
}

const noted = new Set<string>()

/** Notes that an operation has answered with a status. */
export function noteReached(operation: string, status: number): void {
  const folder = process.env[variable]
  const line = `${operation} ${status}`
  if (folder === undefined || noted.has(line)) return
  noted.add(line)
  // A process appends to a file of its own.
  appendFileSync(join(folder, String(process.pid)), `${line}\n`)
}

type Documented = { paths: Record<string, Record<string, { operationId: string; responses: object }>> }

/** Answers of the document that no test has reached, as `operation status`. */
export function unreached(document: Documented): string[] {
  const reached = new Set(readReached())
  return Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    )
    .filter((line) => !reached.has(line))
}

function readReached(): string[] {
  const folder = process.env[variable]
  if (folder === undefined) return []
  return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
}
