// A PostgreSQL server that is there to be broken: on a small file system of its own where
// the machine allows one, and with levers that pull its processes about.
import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, rmSync, writeFileSync, closeSync, openSync, writeSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Credentials, readCredentials } from '../src/database/credentials.ts'
import { openEmbedded } from '../src/database/embedded.ts'

export type Levers = {
  /** The administrator's, past any proxy. */
  url: string
  folder: string
  credentials: Credentials
  /** Whether the disk is small enough to be filled. */
  hasSmallDisk: boolean
  /** Fast shutdown; it starts again by itself. */
  restart(): void
  /** SIGKILL of all its processes; nothing starts until `release`. */
  killAndHold(): void
  release(): void
  pause(): void
  resume(): void
  fillDisk(): void
  emptyDisk(): void
  query(sql: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** WAL, a template and some thousand quotes leave about a third of it. */
const diskMegabytes = 400
const databaseName = 'chaos'

export async function startPostgres(settings: Record<string, string> = {}): Promise<Levers> {
  const folder = await mkdtemp(join(tmpdir(), 'appraisal-chaos-'))
  await chmod(folder, 0o755)
  const disk = join(folder, 'disk')
  await mkdir(disk)
  const hasSmallDisk = mount(disk)
  const credentials = readCredentials(folder)
  const home = join(disk, 'postgres')
  const server = await openEmbedded(home, credentials.owner, {
    settings: { max_wal_size: '64MB', min_wal_size: '32MB', shared_buffers: '32MB', ...settings },
  })
  const url = new URL(server.url)
  url.pathname = `/${databaseName}`
  const filler = join(disk, 'filler')
  const lock = join(home, 'leases', 'lock')
  const postmaster = (): number =>
    Number.parseInt(readFileSync(join(home, 'cluster', 'postmaster.pid'), 'utf8'), 10)
  const everyProcess = (signal: NodeJS.Signals): void => {
    const parent = postmaster()
    for (const pid of [parent, ...childrenOf(parent)]) send(pid, signal)
  }

  return {
    url: url.href,
    folder,
    credentials,
    hasSmallDisk,
    restart: () => send(postmaster(), 'SIGINT'),
    // The lock of a living process keeps the supervision from starting it anew.
    killAndHold: () => {
      writeFileSync(lock, String(process.pid))
      everyProcess('SIGKILL')
    },
    release: () => rmSync(lock, { force: true }),
    pause: () => everyProcess('SIGSTOP'),
    resume: () => everyProcess('SIGCONT'),
    fillDisk: () => fill(filler),
    emptyDisk: () => rmSync(filler, { force: true }),
    query: (sql) => query(url.href, sql),
    close: async () => {
      await server.release()
      if (hasSmallDisk) await unmount(disk)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function mount(folder: string): boolean {
  const size = `size=${diskMegabytes}m,mode=755`
  return spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]).status === 0
}

// The last process of the server may take a moment to go.
async function unmount(folder: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    if (spawnSync('umount', [folder]).status === 0) return
    await sleep(100)
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has gone.
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
      } catch {
        return false
      }
    })
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    // Down to the last page.
    for (const size of [1024 * 1024, 4096]) {
      const block = Buffer.alloc(size)
      try {
        while (writeSync(file, block) > 0);
      } catch {
        // Full.
      }
    }
  } finally {
    closeSync(file)
  }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
