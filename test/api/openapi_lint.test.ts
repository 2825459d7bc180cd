// The document keeps the recommended rules of Redocly's linter, warnings included.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { openApiDocument } from '../../src/http/openapi.ts'

const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openapi-lint-'))
  await writeFile(join(folder, 'redocly.yaml'), 'extends: [recommended]\n')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Lint = { totals: { errors: number; warnings: number; ignored: number }; problems: unknown[] }

async function lint(document: unknown): Promise<Lint> {
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
  // It exits with 1 when it finds an error; what it printed says the rest.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [redocly, 'lint', 'openapi.json', '--config', 'redocly.yaml', '--format', 'json'],
    {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch((error: unknown) => error as { stdout: string })
  return JSON.parse(stdout) as Lint
}

it('has neither errors nor warnings', async () => {
  const { totals, problems } = await lint(openApiDocument())
  expect(problems).toEqual([])
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
})

it('is really looked at', async () => {
  const { license: _license, ...info } = openApiDocument().info
  expect((await lint({ ...openApiDocument(), info })).totals).toMatchObject({ warnings: 1 })
  expect((await lint({ ...openApiDocument(), paths: 1 })).totals.errors).toBeGreaterThan(0)
})
