// The real command line as a child process, on a database of the test's own.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type TestDatabase, createDatabase } from './database.ts'

const program = fileURLToPath(new URL('../../src/admin/main.ts', import.meta.url))

export type Outcome = { code: number | null; stdout: string; stderr: string }

export type TestAdmin = {
  db: TestDatabase
  /** Runs a command as an operator types it. */
  run(args: string[], options?: { input?: string; env?: NodeJS.ProcessEnv }): Promise<Outcome>
  /** Sets a variable of the environment for the commands that follow. */
  set(name: string, value: string): void
  /** Runs a command with --json that must succeed, and gives its one document. */
  json<Answer = any>(...args: string[]): Promise<Answer>
  /** Runs a command with --json that must fail, and gives its error. */
  error(...args: string[]): Promise<{ code: string; message: string; detail?: any }>
  /** Writes a file for `import`, and gives its path. */
  file(name: string, content: string | Uint8Array): Promise<string>
  close(): Promise<void>
}

export async function createAdmin(): Promise<TestAdmin> {
  const db = await createDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'appraisal-admin-'))
  await writeFile(join(folder, 'credentials.json'), JSON.stringify(db.credentials))
  const common: NodeJS.ProcessEnv = { DATABASE_URL: db.urls.owner, DATA_DIR: folder }
  const run: TestAdmin['run'] = (args, { input = '', env = {} } = {}) =>
    start(args, input, { ...common, ...env })
  return {
    db,
    run,
    set: (name, value) => {
      common[name] = value
    },
    json: async (...args) => {
      const { code, stdout, stderr } = await run([...args, '--json'])
      if (code !== 0) throw new Error(`${args.join(' ')} exits with ${code}: ${stderr}`)
      return JSON.parse(stdout)
    },
    error: async (...args) => {
      const { code, stdout, stderr } = await run([...args, '--json'])
      if (code === 0 || stdout !== '') throw new Error(`${args.join(' ')} answers ${stdout}`)
      return (JSON.parse(stderr) as { error: { code: string; message: string } }).error
    },
    file: async (name, content) => {
      const path = join(folder, name)
      await writeFile(path, content)
      return path
    },
    close: async () => {
      await rm(folder, { recursive: true, force: true })
      await db.close()
    },
  }
}

function start(args: string[], input: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], ...env },
  })
  const outcome: Outcome = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (outcome.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (outcome.stderr += chunk.toString()))
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ ...outcome, code }))
  })
}
