// A real clamd with a signature database of one line, and a fake one that misbehaves.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/database/embedded.ts'
import { createClamd } from '../../src/documents/clamd.ts'
import { eicar } from './files.ts'

/** Debian puts it where only root looks. */
const program = '/usr/sbin/clamd'

export function isClamdInstalled(): boolean {
  try {
    execFileSync(program, ['--version'])
    return true
  } catch {
    return false
  }
}

export type RealClamd = {
  tcpUrl: string
  socketUrl: string
  stop(): Promise<void>
}

/** Starts clamd on a free port and a socket, with some of its limits changed. */
export async function startClamd(limits: Record<string, string> = {}): Promise<RealClamd> {
  const folder = await mkdtemp(join(tmpdir(), 'clamd-'))
  const port = await freePort(0)
  // Name, any type of file, any offset, and the pattern itself.
  await writeFile(join(folder, 'eicar.ndb'), `Eicar-Test:0:*:${eicar.toString('hex')}\n`)
  const settings = {
    Foreground: 'yes',
    DatabaseDirectory: folder,
    LocalSocket: `${folder}/clamd.sock`,
    TCPSocket: String(port),
    TCPAddr: '127.0.0.1',
    StreamMaxLength: '16M',
    MaxFileSize: '16M',
    MaxScanSize: '128M',
    AlertExceedsMax: 'yes',
    ...limits,
  }
  const configuration = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
  await writeFile(join(folder, 'clamd.conf'), `${configuration.join('\n')}\n`)
  const child = spawn(program, ['-c', join(folder, 'clamd.conf')], { stdio: 'ignore' })
  const real = {
    tcpUrl: `tcp://127.0.0.1:${port}`,
    socketUrl: `unix:${folder}/clamd.sock`,
    stop: async () => {
      await ended(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
  await untilItAnswers(real.socketUrl, child)
  return real
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  const clamd = createClamd(url)
  for (;;) {
    if (child.exitCode !== null) throw new Error(`clamd ended with ${child.exitCode}`)
    const isUp = await clamd.ping().then(
      () => true,
      () => false,
    )
    if (isUp) return
    await sleep(20)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}

export type FakeClamd = {
  url: string
  /** How it treats the next streams: called when one is complete, or at once. */
  behave(behaviour: Behaviour): void
  /** Connections that are open. */
  connections(): number
  close(): Promise<void>
}

export type Behaviour = {
  /** Before the stream is read, or once its end came. */
  when: 'connected' | 'streamed'
  act: (socket: Socket) => void
}

/** Listens like clamd, answers PING and VERSION, and does with a stream as it is told. */
export async function startFakeClamd(): Promise<FakeClamd> {
  let behaviour: Behaviour = { when: 'streamed', act: (socket) => socket.end('stream: OK\0') }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let received = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received.subarray(-64), chunk])
      if (received.includes('zPING\0')) socket.end('PONG\0')
      if (received.includes('zVERSION\0')) socket.end('ClamAV 9.9.9/12345/today\0')
      if (received.includes('zINSTREAM\0') && behaviour.when === 'connected') behaviour.act(socket)
      if (received.subarray(-4).equals(Buffer.alloc(4)) && behaviour.when === 'streamed') {
        behaviour.act(socket)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (next) => {
      behaviour = next
    },
    connections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Misbehaviour that must end in "no verdict". */
export const misbehaviours: Record<string, Behaviour> = {
  'hangs without reading': { when: 'connected', act: (socket) => void socket.pause() },
  'hangs after the stream': { when: 'streamed', act: () => {} },
  'cuts the connection at once': { when: 'connected', act: (socket) => void socket.destroy() },
  'cuts the connection after the stream': { when: 'streamed', act: (socket) => void socket.end() },
  'cuts its reply': { when: 'streamed', act: (socket) => void socket.end('stream: O') },
  'cuts the end mark of its reply': { when: 'streamed', act: (socket) => void socket.end('stream: OK') },
  'reports an error': { when: 'streamed', act: (socket) => void socket.end('stream: Can\'t allocate memory ERROR\0') },
  'reports its size limit': { when: 'connected', act: (socket) => void socket.end('INSTREAM size limit exceeded. ERROR\0') },
  'reports a limit as a find': { when: 'streamed', act: (socket) => void socket.end('stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND\0') },
  'says OK of something else': { when: 'streamed', act: (socket) => void socket.end('stream: OK but\0') },
  'says nothing': { when: 'streamed', act: (socket) => void socket.end('\0') },
  'talks without end': { when: 'streamed', act: (socket) => void socket.write('x'.repeat(10_000)) },
}
