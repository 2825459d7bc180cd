// ClamAV's daemon, over TCP or a unix socket. Only a whole, plain "OK" is clean; any other
// reply that isn't a find is no verdict: an error, a limit, silence, half a sentence.
import { type Socket, connect } from 'node:net'
import { type ClamdAddress, parseClamdUrl } from './clamd_url.ts'
import type { Engine, Scanner } from './scanner.ts'

/** ClamAV takes seconds for a large PDF, most of them unpacking it. */
const defaultLimitMs = 15_000
/** Its database's version is told at once or not at all. */
const versionLimitMs = 2_000
const chunkBytes = 256 * 1024
/** A reply names a signature; anything much longer is something else. */
const longestReply = 4096

export function createClamd(url: string, { limitMs = defaultLimitMs } = {}): Scanner {
  const address = parseClamdUrl(url)
  return {
    scan: async ({ bytes }) => {
      const [reply, engine] = await Promise.all([
        ask(address, limitMs, (socket) => sendStream(socket, bytes)),
        describeEngine(address),
      ])
      return { ...engine, rule: ruleOf(reply) }
    },
    ping: async () => {
      const reply = await ask(address, versionLimitMs, (socket) => socket.write('zPING\0'))
      if (reply !== 'PONG') throw new Error(`clamd answered ${quote(reply)} to a ping`)
    },
    close: async () => {},
  }
}

/** null for clean, the signature for a find. Throws for every other reply. */
export function ruleOf(reply: string): string | null {
  if (reply === 'stream: OK') return null
  const signature = /^stream: (\S.*) FOUND$/.exec(reply)?.[1]
  // AlertExceedsMax reports a limit as if it were a find; nothing was found, or looked for.
  if (signature && !signature.startsWith('Heuristics.Limits.Exceeded')) return signature
  throw new Error(`clamd answered ${quote(reply)}`)
}

// "ClamAV 1.4.6/27500/Thu Nov 20 …": engine, database, its date. What the daemon doesn't
// tell is no reason to refuse a file that it did scan.
async function describeEngine(address: ClamdAddress): Promise<Engine> {
  const reply = await ask(address, versionLimitMs, (socket) => socket.write('zVERSION\0')).catch(
    () => '',
  )
  const [, version = 'unknown', signatures = null] =
    /^ClamAV ([^/\s]+)(?:\/(\d+))?/.exec(reply) ?? []
  return { engine: 'clamav', engine_version: version, signature_version: signatures }
}

/** Sends a command on a connection of its own and gives the reply without its end mark. */
function ask(
  address: ClamdAddress,
  limitMs: number,
  send: (socket: Socket) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = ''
    const socket = connect(address, () => send(socket))
    const timer = setTimeout(() => finish(new Error(`clamd is silent for ${limitMs} ms`)), limitMs)
    const finish = (outcome: Error | string): void => {
      clearTimeout(timer)
      socket.destroy()
      if (typeof outcome === 'string') resolve(outcome)
      else reject(outcome)
    }
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      reply += text
      const end = reply.search(/[\0\n]/)
      if (end >= 0) finish(reply.slice(0, end))
      else if (reply.length > longestReply) finish(new Error('clamd answers without end'))
    })
    socket.on('error', (error) => finish(new Error(`clamd: ${error.message}`, { cause: error })))
    socket.on('end', () => finish(new Error(`clamd cut its reply: ${quote(reply)}`)))
  })
}

// Each chunk after its length; a length of zero ends. Written as fast as it is read.
function sendStream(socket: Socket, bytes: Buffer): void {
  let at = 0
  const sendMore = (): void => {
    while (at < bytes.length) {
      const chunk = bytes.subarray(at, at + chunkBytes)
      at += chunk.length
      socket.write(length(chunk.length))
      if (!socket.write(chunk)) return void socket.once('drain', sendMore)
    }
    socket.write(length(0))
  }
  socket.write('zINSTREAM\0')
  sendMore()
}

function length(bytes: number): Buffer {
  const header = Buffer.alloc(4)
  header.writeUInt32BE(bytes)
  return header
}

const quote = (reply: string): string => JSON.stringify(reply.slice(0, 200))
