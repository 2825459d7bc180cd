// A real PgBouncer in transaction mode before a test's database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/database/embedded.ts'

const program = '/usr/sbin/pgbouncer'

export const isPgBouncerInstalled = (): boolean => existsSync(program)

export type PgBouncer = {
  /** The same database and login, through the pooler. */
  url: string
  stop(): Promise<void>
}

/** Fewer than the API has connections, so that statements do change places. */
const serverConnections = 3

export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const target = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  const port = await freePort(0)
  const database = target.pathname.slice(1)
  const settings = [
    '[databases]',
    `${database} = host=${target.hostname} port=${target.port} dbname=${database} ` +
      `user=${target.username} password=${decodeURIComponent(target.password)}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${serverConnections}`,
    'max_client_conn = 500',
    // It won't run as root, whose files it must read.
    ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
  ]
  await chmod(folder, 0o755)
  await writeFile(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`)
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
    await sleep(20)
  }
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  url.searchParams.set('pgbouncer', 'true')
  return {
    url: url.href,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}
