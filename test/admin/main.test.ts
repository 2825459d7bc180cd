import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestAdmin, createAdmin } from '../setup/admin.ts'

let admin: TestAdmin
beforeAll(async () => {
  admin = await createAdmin()
})
afterAll(() => admin.close())

const groups = ['tenant', 'key', 'analyst', 'import', 'quote', 'database-url']

describe('admin --help', () => {
  it('names every group of commands', async () => {
    const { code, stdout, stderr } = await admin.run(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const group of groups) expect(stdout).toMatch(new RegExp(`^ {2}${group}\\b`, 'm'))
  })

  it('opens no database, and each command has it with an example', async () => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' }
    const commands = [['tenant', 'create'], ['key', 'rotate'], ['import'], ['quote', 'send'], ['database-url']]
    const outcomes = await Promise.all(
      commands.map((command) => admin.run([...command, '--help'], { env })),
    )
    for (const { code, stdout } of outcomes) {
      expect({ code, hasExample: stdout.includes('npm run admin -- ') }).toEqual({ code: 0, hasExample: true })
      expect(stdout).toContain('--json')
    }
  })
})

describe('admin database-url', () => {
  it('prints the connection strings of each role', async () => {
    expect(await admin.json('database-url')).toEqual(admin.db.urls)
    const { stdout } = await admin.run(['database-url'])
    expect(JSON.parse(stdout)).toEqual(admin.db.urls)
  })
})

describe('admin before the first start', () => {
  it('starts the embedded database for itself, makes it ready once, and lets it go', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'appraisal-embedded-'))
    const env = { DATABASE_URL: '', DATA_DIR: folder }
    const create = (slug: string) =>
      admin.run(['tenant', 'create', '--slug', slug, '--name', slug], { env })
    try {
      const outcomes = await Promise.all([create('one'), create('two')])
      expect(outcomes.map(({ code }) => code)).toEqual([0, 0])
      const { stdout } = await admin.run(['tenant', 'list', '--json'], { env })
      const slugs = (JSON.parse(stdout) as { slug: string }[]).map(({ slug }) => slug)
      expect(slugs).toEqual(['one', 'two'])
      expect(existsSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('admin can NOT', () => {
  it.each([
    [['nonsense']],
    [['tenant', 'nonsense']],
    [['tenant', 'create', '--slug', 'a']],
    [['tenant', 'list', '--nonsense']],
    [['key', 'revoke', 'not-an-id']],
  ])('understand %j: one line, exit 2', async (args) => {
    const { code, stdout, stderr } = await admin.run(args)
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 1,
    })
    expect(await admin.error(...args)).toMatchObject({ code: 'usage' })
  })

  it.each([
    ['a bad value in the environment', { PORT: 'abc' }, 'configuration'],
    ['a database that is away', { DATABASE_URL: 'postgres://a@127.0.0.1:1/b' }, 'database_unreachable'],
    [
      'no administrator',
      { DATABASE_URL: '', API_DATABASE_URL: 'postgres://a@127.0.0.1:1/b' },
      'configuration',
    ],
  ])('work with %s: one line, exit 1', async (_what, env, expected) => {
    const { code, stdout, stderr } = await admin.run(['tenant', 'list', '--json'], { env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: expected } })
  })
})
