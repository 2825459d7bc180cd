// The embedded scanner: YARA-X with the rules beside this file, in a thread of its own.
// It needs no service and knows nothing of viruses in the wild; clamd does. A scan that
// takes too long ends with its thread, and the next one gets a new thread.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Engine, ScannedFile, Scanner } from './scanner.ts'
import type { ScanReply, ScanRequest } from './yara_worker.ts'

/** 15 MiB take 50 ms; a PDF that unpacks to hundreds of MiB a few seconds. */
const defaultLimitMs = 10_000

export const rulesFolder = fileURLToPath(new URL('rules/', import.meta.url))

export const ruleFiles = (): string[] =>
  readdirSync(rulesFolder)
    .filter((name) => name.endsWith('.yar'))
    .sort()
    .map((name) => join(rulesFolder, name))

export function createYara({ limitMs = defaultLimitMs }: { limitMs?: number } = {}): Scanner {
  const engine = describeEngine()
  let thread: Thread | null = null
  let queue: Promise<unknown> = Promise.resolve()
  let queued = 0
  let isClosed = false

  async function scanNow(file: ScannedFile): Promise<string | null> {
    if (isClosed) throw new Error('the scanner is closed')
    thread ??= startThread()
    try {
      const reply = await thread.scan(file, limitMs)
      if ('error' in reply) throw new Error(reply.error)
      return reply.rule
    } catch (error) {
      if (thread.hasEnded()) thread = null
      throw error
    }
  }

  // One after another: two at once would take the cores from everybody else.
  function enqueue(file: ScannedFile): Promise<string | null> {
    queued += 1
    const result = queue.then(() => scanNow(file))
    queue = result
      .catch(() => {})
      .then(() => {
        queued -= 1
      })
    return result
  }

  return {
    scan: async (file) => ({ ...engine, rule: await enqueue(file) }),
    // A scan that runs will show by itself whether the thread works.
    ping: async () => {
      if (queued === 0) await enqueue(emptyFile())
    },
    close: async () => {
      isClosed = true
      await thread?.stop()
    },
  }
}

const emptyFile = (): ScannedFile => ({
  bytes: Buffer.from(new SharedArrayBuffer(1)),
  contentType: 'image/png',
})

function describeEngine(): Engine {
  const require = createRequire(import.meta.url)
  const { version } = require('@litko/yara-x/package.json') as { version: string }
  const hash = createHash('sha256')
  for (const file of ruleFiles()) hash.update(readFileSync(file))
  return {
    engine: 'yara-x',
    engine_version: version,
    signature_version: `sha256:${hash.digest('hex').slice(0, 16)}`,
  }
}

type Thread = {
  /** Throws, and the thread ends, when there is no reply in time. */
  scan(file: ScannedFile, limitMs: number): Promise<ScanReply>
  hasEnded(): boolean
  stop(): Promise<void>
}

function startThread(): Thread {
  const worker = new Worker(new URL('yara_worker.ts', import.meta.url), {
    workerData: ruleFiles(),
  })
  let hasEnded = false
  const ended = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the scanning thread ended')))
  })
  ended.catch(() => {
    hasEnded = true
  })
  worker.unref()

  async function stop(): Promise<void> {
    hasEnded = true
    await worker.terminate()
  }

  return {
    scan: async (file, limitMs) => {
      const replied = new Promise<ScanReply>((resolve) => worker.once('message', resolve))
      worker.postMessage(requestOf(file))
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        void stop()
        late.reject(new Error(`no verdict within ${limitMs} ms`))
      }, limitMs)
      try {
        return await Promise.race([replied, ended, late.promise])
      } finally {
        clearTimeout(timer)
      }
    },
    hasEnded: () => hasEnded,
    stop,
  }
}

function requestOf({ bytes, contentType }: ScannedFile): ScanRequest {
  const memory = bytes.buffer
  if (!(memory instanceof SharedArrayBuffer) || bytes.byteOffset !== 0) {
    throw new TypeError('a file is scanned in shared memory')
  }
  return { memory, size: bytes.length, isPdf: contentType === 'application/pdf' }
}
