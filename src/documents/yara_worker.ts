// The thread that scans with YARA-X. The library's call can't be interrupted, this thread
// can: whatever a file does to the scanner, the server goes on and ends it in time.
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type YaraX, compile } from '@litko/yara-x'
import { unpackStreams } from './pdf_streams.ts'

/** One at a time: the next is sent after the reply. */
export type ScanRequest = { memory: SharedArrayBuffer; size: number; isPdf: boolean }
export type ScanReply = { rule: string | null } | { error: string }

type Part = 'pdf' | 'image' | 'stream'

/** Unpacked streams are scanned in batches of so much: most are small, and a call costs. */
const batchBytes = 1024 * 1024
/** A match may lie across two batches of one stream; no rule's pattern is longer. */
const overlapBytes = 1024
/** Between two streams, so that nothing matches that is in neither. */
const gap = Buffer.alloc(16)
/** Above what the rules count to, below what fills the memory. */
const mostMatches = 30_000

// A scan may wait; whoever reads a quote meanwhile may not. Linux has it per thread.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const rules = compileRules(workerData as string[])

parentPort?.on('message', (request: ScanRequest) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply))
})

function compileRules(files: string[]): YaraX {
  const source = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const compiled = compile(source, { defineVariables: { part: 'pdf' satisfies Part } })
  compiled.setMaxMatchesPerPattern(mostMatches)
  return compiled
}

async function answer({ memory, size, isPdf }: ScanRequest): Promise<ScanReply> {
  try {
    return { rule: await scan(Buffer.from(memory, 0, size), isPdf) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

async function scan(bytes: Buffer, isPdf: boolean): Promise<string | null> {
  if (!isPdf) return firstMatch(bytes, 'image')
  return firstMatch(bytes, 'pdf') ?? (await scanStreams(bytes))
}

const firstMatch = (bytes: Buffer, part: Part): string | null =>
  rules.scan(bytes, { part })[0]?.ruleIdentifier ?? null

class Found extends Error {
  readonly rule: string

  constructor(rule: string) {
    super(rule)
    this.rule = rule
  }
}

async function scanStreams(pdf: Buffer): Promise<string | null> {
  const batch = Buffer.alloc(batchBytes)
  let filled = 0

  function scanBatch(): void {
    const rule = firstMatch(batch.subarray(0, filled), 'stream')
    if (rule !== null) throw new Found(rule)
  }
  function add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(batch, filled, at)
      at += copied
      filled += copied
      if (filled < batch.length) continue
      scanBatch()
      batch.copyWithin(0, filled - overlapBytes, filled)
      filled = overlapBytes
    }
  }

  try {
    await unpackStreams(pdf, add, () => add(gap))
    scanBatch()
  } catch (error) {
    if (error instanceof Found) return error.rule
    throw error
  }
  return null
}
