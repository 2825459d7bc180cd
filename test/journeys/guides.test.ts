// The guides do what they say: every command in them is run against the real service, in
// the order in which a reader would paste it, and answers as the guide shows.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { errorCodes } from '../../src/http/error_codes.ts'
import { scopes } from '../../src/api_key.ts'
import { readConfig } from '../../src/config.ts'
import { openApiDocument } from '../../src/http/openapi.ts'
import { fileLimit } from '../../src/http/upload.ts'
import { type Deployment, startDeployment } from '../setup/process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const docs = join(root, 'docs')
const bash = promisify(execFile)

const guides = [
  'getting-started',
  'authentication',
  'idempotency-and-retries',
  'directory',
  'leads',
  'documents',
  'reading-errors',
  'limits',
  'versioning',
]

const folder = mkdtempSync(join(tmpdir(), 'guides-'))
const dataDir = join(folder, 'data')
let deployment: Deployment
let key: string
beforeAll(async () => {
  deployment = await startDeployment({ DATA_DIR: dataDir })
  key = /svc_test_[0-9A-Za-z]{38}/.exec(deployment.output)?.[0] ?? ''
})
afterAll(async () => {
  await deployment.stop()
  await rm(folder, { recursive: true, force: true })
})

const readGuide = (name: string): string => readFileSync(join(docs, `${name}.md`), 'utf8')

type Block = { language: string; text: string }

const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', body = '']) => ({
    language,
    text: body,
  }))

const end = '\u001e'

// Files go to a folder of their own; npm's commands are those of the service.
const shell = `cd ${folder}; npm() { command npm --prefix ${root} "$@"; }`

/** Runs commands one after the other in one shell. Gives what each printed. */
async function runAll(commands: string[]): Promise<string[]> {
  const script = commands
    .map((command) => command.replaceAll('http://127.0.0.1:3000', deployment.api).replaceAll('svc_test_…', key))
    .map((command) => `${command}\nprintf '${end}'`)
    .join('\n')
  const { stdout } = await bash('bash', ['-euo', 'pipefail', '-c', `${shell}\n${script}`], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      BASE: `${deployment.api}/public/v1`,
      KEY: key,
    },
  })
  return stdout.split(end).slice(0, -1)
}

// Different in every run.
const volatile = new Set([
  'byte_size', 'created_at', 'id', 'key_prefix', 'message', 'organization_id', 'request_id',
  'tenant_id', 'updated_at',
])

/** An answer with the guide's own values where they differ from run to run. */
function settled(shown: unknown, got: unknown, name = ''): unknown {
  if (Array.isArray(shown) && Array.isArray(got)) {
    return got.map((item, index) => settled(shown[index], item))
  }
  if (typeof shown === 'object' && shown !== null && typeof got === 'object' && got !== null) {
    const known = shown as Record<string, unknown>
    return Object.fromEntries(
      Object.entries(got).map(([part, value]) => [part, settled(known[part], value, part)]),
    )
  }
  return volatile.has(name) && typeof shown === typeof got ? shown : got
}

// Counts and times.
const withoutNumbers = (line: string): string => line.trim().toLowerCase().replaceAll(/\d+/g, 'n')

function expectHead(shown: string, got: string): void {
  const [status = '', ...headers] = shown.trim().split('\n')
  const lines = got.split('\r\n')
  expect(lines[0]).toBe(status)
  expect(lines.map(withoutNumbers)).toEqual(expect.arrayContaining(headers.map(withoutNumbers)))
}

function expectAnswer(shown: Block | undefined, got: string): void {
  if (shown?.language === 'http') {
    expectHead(shown.text, got)
  } else if (shown?.language === 'json') {
    const answer: unknown = JSON.parse(shown.text)
    expect(settled(answer, JSON.parse(got))).toEqual(answer)
  } else {
    // Where no answer is shown it is a success.
    expect(got).not.toMatch(/"request_id"/)
  }
}

describe.each(guides)('docs/%s.md', (name) => {
  const blocks = blocksOf(readGuide(name))
  const commands = blocks.filter(({ language }) => language === 'sh')

  it('has commands that answer as it shows', async () => {
    expect(commands.length).toBeGreaterThan(0)
    const printed = await runAll(commands.map(({ text }) => text))
    for (const [index, command] of commands.entries()) {
      expectAnswer(blocks[blocks.indexOf(command) + 1], printed[index] ?? '')
    }
  })

  it('links to what is there', () => {
    const links = [...readGuide(name).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const local = links.filter((link) => !/^(https?:|\/)/.test(link))
    for (const link of local) {
      const [file = '', anchor] = link.split('#')
      expect(readdirSync(docs)).toContain(file)
      if (anchor !== undefined) {
        const headings = [...readGuide(file.replace('.md', '')).matchAll(/^#+ (.*)$/gm)]
        expect(headings.map(([, text = '']) => text.toLowerCase().replaceAll(' ', '-'))).toContain(anchor)
      }
    }
  })

  it('names no code that there is not', () => {
    const named = [...readGuide(name).matchAll(/\b[45]\d\d\s+`([a-z_]+)`/g)].map(([, code]) => code)
    expect(named.filter((code) => !Object.hasOwn(errorCodes, code ?? ''))).toEqual([])
  })
})

describe('the programs in the guides', () => {
  const programs = guides.flatMap((name) =>
    blocksOf(readGuide(name)).flatMap(({ language, text }, index) =>
      language === 'ts' ? [[`${name}-${index}`, text] as const] : [],
    ),
  )

  it.each(programs)('type-check and run: %s', async (name, text) => {
    const file = join(folder, `${name}.mts`)
    await writeFile(file, text)
    const env = { ...process.env, BASE: `${deployment.api}/public/v1`, KEY: key }
    const { stdout } = await bash(process.execPath, [file], { env })
    expect(stdout).toMatch(/^20[01]\n$/)
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2024', '--module', 'nodenext']
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
    const check = bash(join(root, 'node_modules/.bin/tsc'), [...options, ...types, file], { cwd: folder })
    expect(await check.catch(({ stdout: faults }: { stdout: string }) => faults)).toMatchObject({ stdout: '' })
  })
})

describe('the guides', () => {
  it('name every scope', () => {
    for (const scope of scopes) expect(readGuide('authentication')).toContain(`\`${scope}\``)
  })
})

describe('docs/limits.md', () => {
  const rows = new Map(
    [...readGuide('limits').matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(([, what = '', limit = '']) => [what, limit]),
  )
  const { paths, components } = JSON.parse(JSON.stringify(openApiDocument())) as any
  const queryOf = (path: string, name: string) =>
    paths[`/public/v1${path}`].get.parameters.find((one: any) => one.name === name).schema
  const fieldOf = (schema: string, name: string) => components.schemas[schema].properties[name]
  const count = (value: number): string => value.toLocaleString('en-US')
  const page = (path: string): string => {
    const { minimum, maximum, default: fallback } = queryOf(path, 'limit')
    return `${minimum} to ${maximum}, ${fallback} by itself`
  }
  const items = fieldOf('OrganizationBatch', 'items')
  const config = readConfig({})

  it.each([
    ['requests of a key', `${config.RATE_LIMIT_PER_MINUTE} a minute, unless the operator chose another number`],
    ['batch', `${items.minItems} to ${items.maxItems} items`],
    ['contacts of an organization in a request', String(fieldOf('OrganizationInput', 'contacts').maxItems)],
    ['upload', `15 MiB (${count(fileLimit)} bytes); PDF, PNG, JPEG, WebP`],
    ['`limit` of organizations and leads', page('/organizations')],
    ['`limit` of organizations and leads', page('/leads')],
    ['`limit` of orders', page('/orders')],
    ['`offset`', `0 to ${count(queryOf('/leads', 'offset').maximum)}`],
    ['`q`', `${queryOf('/organizations', 'q').maxLength} characters`],
    ['references, most short text', `${fieldOf('LeadInput', 'external_reference').maxLength} characters`],
    ['names and titles', String(fieldOf('OrganizationInput', 'name').maxLength)],
    ['names and titles', String(fieldOf('LeadInput', 'title').maxLength)],
    ['notes', count(fieldOf('QuoteCreate', 'notes').maxLength)],
    ['e-mail', String(fieldOf('OrganizationInput', 'email').maxLength)],
    [
      '`Idempotency-Key`',
      `1 to 255 visible ASCII characters, kept for ${config.IDEMPOTENCY_RETENTION_HOURS} hours`,
    ],
  ])('says of %s what holds', (what, limit) => {
    expect(rows.get(what)).toBe(limit)
  })
})
