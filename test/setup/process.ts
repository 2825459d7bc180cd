// The product as its users run it: `npm start` and `npm run admin` as processes, on a
// DATA_DIR of the test's own.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Deployment = {
  api: string
  internal: string
  /** All that it has printed. */
  output: string
  /** Of that, what went to standard error. */
  log: string
  child: ChildProcess
  /** Sends a signal and waits for the exit. Gives the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

type Environment = Record<string, string>

const environment = (given: Environment): NodeJS.ProcessEnv => {
  const { DATABASE_URL: _unused, TEST_DATABASE: _shared, ...rest } = process.env
  return { ...rest, PORT: '0', INTERNAL_PORT: '0', LOG_LEVEL: 'error', ...given }
}

/** Starts the service, or with `--only` a part of it, and waits for its ready line. */
export async function startDeployment(given: Environment, ...args: string[]): Promise<Deployment> {
  const child = spawn(process.execPath, ['src/main.ts', ...args], {
    cwd: root,
    env: environment(given),
  })
  let output = ''
  let log = ''
  const ready = new Promise<Record<string, string>>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const line = /^ready (\{.*\})$/m.exec(output)?.[1]
      if (line) resolve(JSON.parse(line) as Record<string, string>)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      log += chunk.toString()
    })
    child.once('exit', (code) => reject(new Error(`exit ${code} before ready:\n${output}`)))
  })
  const { api = '', graphql = '' } = await ready
  return {
    api,
    internal: graphql === '' ? '' : new URL(graphql).origin,
    get output() {
      return output
    },
    get log() {
      return log
    },
    child,
    stop: async (signal = 'SIGTERM') => {
      const exited = once(child, 'exit') as Promise<[number | null]>
      child.kill(signal)
      return (await exited)[0]
    },
  }
}

/** Runs a command of the operator's with --json and gives what it printed. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function admin<T = any>(given: Environment, ...command: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['src/admin/main.ts', '--json', ...command],
    { cwd: root, env: environment(given) },
  )
  return JSON.parse(stdout) as T
}
