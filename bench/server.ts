// A PostgreSQL server for a benchmark, with the settings that the product ships: nothing
// is switched off that a deployment has on. The factories of the tests work on it.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCredentials } from '../src/database/credentials.ts'
import { openEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { sharedVariable } from '../test/setup/database.ts'

/** Starts it and migrates the template of its databases. Gives what stops it. */
export async function startServer(settings: Record<string, string> = {}): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'appraisal-bench-'))
  const credentials = readCredentials(folder)
  const server = await openEmbedded(join(folder, 'postgres'), credentials.owner, { settings })
  const template = `template_${randomBytes(6).toString('hex')}`
  const url = new URL(server.url)
  url.pathname = `/${template}`
  await migrate(url.href, credentials)
  process.env[sharedVariable] = JSON.stringify({ url: server.url, template, credentials })
  return async () => {
    await server.release()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Milliseconds of one run. */
export async function time(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** Milliseconds of each of so many runs, in rising order. */
export async function timings(
  count: number,
  run: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const all: number[] = []
  for (let index = 0; index < count; index += 1) all.push(await time(() => run(index)))
  return all.toSorted((a, b) => a - b)
}
