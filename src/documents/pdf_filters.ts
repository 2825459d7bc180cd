// PDF's filters that pack text or data. Those of pictures are left alone: what they unpack
// to is pixels. Each gives what it could unpack before the first fault, as readers do.
import { type InflateRaw, createInflateRaw } from 'node:zlib'

/** Unpacked sizes at which a scan gives up: a bomb, or nothing that a letter holds. */
const intermediateLimit = 64 * 1024 * 1024

export class TooMuch extends Error {}

const filters: Record<string, (input: Buffer) => Buffer> = {
  ASCIIHexDecode: asciiHex,
  AHx: asciiHex,
  ASCII85Decode: ascii85,
  A85: ascii85,
  RunLengthDecode: runLength,
  RL: runLength,
  LZWDecode: lzw,
  LZW: lzw,
}

const isFlate = (name: string | undefined): boolean => name === 'FlateDecode' || name === 'Fl'

/** Unpacks a stream with its filters, first to last, up to the first that packs pixels. */
export async function unpack(
  packed: Buffer,
  names: string[],
  emit: (chunk: Buffer) => void,
): Promise<void> {
  let data = packed
  for (const [index, name] of names.entries()) {
    if (isFlate(name)) {
      if (index === names.length - 1) return inflate(data, emit)
      data = await inflateWhole(data)
    } else {
      const filter = filters[name]
      if (!filter) break
      data = filter(data)
    }
  }
  if (data !== packed) emit(data)
}

/** Whether this begins like deflated data: method 8, and a checksum over two bytes. */
export const looksDeflated = (data: Buffer, start: number): boolean => {
  const [first = 0, second = 0] = data.subarray(start, start + 2)
  return (first & 0x0f) === 8 && (first >> 4) <= 7 && ((first << 8) | second) % 31 === 0
}

async function inflateWhole(data: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  await inflate(data, (chunk) => {
    size += chunk.length
    if (size > intermediateLimit) throw new TooMuch('a filter within a filter unpacks to too much')
    chunks.push(chunk)
  })
  return Buffer.concat(chunks)
}

/** Bytes that go into the inflater at once. A fault among them takes their output away. */
const pieceBytes = 16_384

// Without the header and the checksum, which prove nothing about what a reader shows.
async function inflate(data: Buffer, emit: (chunk: Buffer) => void): Promise<void> {
  const deflated = looksDeflated(data, 0) ? data.subarray(2) : data
  const faultAt = await inflatePieces(deflated, Infinity, emit)
  if (faultAt !== null) await inflatePieces(deflated, faultAt, emit)
}

/** Feeds piece by piece, byte by byte from `carefully` on; tells the piece with a fault. */
async function inflatePieces(
  data: Buffer,
  carefully: number,
  emit: (chunk: Buffer) => void,
): Promise<number | null> {
  const inflater = createInflateRaw()
  const { promise: emitted, reject: failEmitting } = Promise.withResolvers<never>()
  emitted.catch(() => {})
  inflater.on('data', (chunk: Buffer) => {
    try {
      emit(chunk)
    } catch (error) {
      failEmitting(error)
    }
  })
  try {
    for (let at = 0; at < data.length; ) {
      const isCareful = at >= carefully
      if (isCareful && at > carefully + pieceBytes) break
      const piece = data.subarray(at, at + (isCareful ? 1 : pieceBytes))
      const outcome = await Promise.race([write(inflater, piece), emitted])
      if (outcome === 'fault') return at
      if (outcome === 'end') break
      at += piece.length
    }
  } finally {
    inflater.destroy()
  }
  return null
}

// What follows the end of deflated data is left: the inflater then never asks for more.
function write(inflater: InflateRaw, piece: Buffer): Promise<'more' | 'end' | 'fault'> {
  return new Promise((resolve) => {
    inflater.removeAllListeners('error').on('error', () => resolve('fault'))
    inflater.removeAllListeners('end').on('end', () => resolve('end'))
    inflater.write(piece, () => resolve('more'))
  })
}

function asciiHex(input: Buffer): Buffer {
  const end = input.indexOf('>')
  const digits = input.toString('latin1', 0, end < 0 ? input.length : end).replaceAll(/[\0\s]/g, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

function ascii85(packed: Buffer): Buffer {
  const end = packed.indexOf('~')
  const input = packed.subarray(0, end < 0 ? packed.length : end)
  const output = Buffer.alloc(input.length * 4)
  let size = 0
  let group = 0
  let count = 0
  for (const code of input) {
    if (code === 0x7a && count === 0) {
      size += 4
    } else if (code >= 0x21 && code <= 0x75) {
      group = group * 85 + (code - 0x21)
      count += 1
      if (count === 5) {
        output.writeUInt32BE(group % 2 ** 32, size)
        size += 4
        group = 0
        count = 0
      }
    } else if (code > 0x20) {
      break
    }
  }
  if (count > 1) {
    for (let rest = count; rest < 5; rest += 1) group = group * 85 + 84
    output.writeUInt32BE(group % 2 ** 32, size)
    size += count - 1
  }
  return output.subarray(0, size)
}

function runLength(input: Buffer): Buffer {
  const runs: Buffer[] = []
  let size = 0
  for (let at = 0; at < input.length; ) {
    const length = input[at] ?? 128
    if (length === 128) break
    const isLiteral = length < 128
    const run = isLiteral
      ? input.subarray(at + 1, at + 2 + length)
      : Buffer.alloc(257 - length, input[at + 1])
    at += isLiteral ? length + 2 : 2
    size += run.length
    if (size > intermediateLimit) throw new TooMuch('a run-length stream unpacks to too much')
    runs.push(run)
  }
  return Buffer.concat(runs)
}

const clearTable = 256
const endOfData = 257

// Codes of 9 to 12 bits, growing one code early, as PDF has it unless told otherwise.
function lzw(input: Buffer): Buffer {
  const chunks: Buffer[] = []
  let size = 0
  let table: Buffer[] = []
  let previous: Buffer | null = null
  let width = 9
  let bits = 0
  let held = 0
  for (const byte of input) {
    bits = ((bits << 8) | byte) & 0xffffff
    held += 8
    if (held < width) continue
    held -= width
    const code = (bits >> held) & ((1 << width) - 1)
    if (code === endOfData) break
    if (code === clearTable) {
      table = []
      previous = null
      width = 9
      continue
    }
    const entry = entryOf(code, table, previous)
    if (!entry) break
    if (previous && table.length < 4096 - 258) {
      table.push(Buffer.concat([previous, entry.subarray(0, 1)]))
    }
    const next = table.length + 258 + 1
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9
    previous = entry
    size += entry.length
    if (size > intermediateLimit) throw new TooMuch('an LZW stream unpacks to too much')
    chunks.push(entry)
  }
  return Buffer.concat(chunks)
}

function entryOf(code: number, table: Buffer[], previous: Buffer | null): Buffer | null {
  if (code < clearTable) return Buffer.of(code)
  const known = table[code - 258]
  if (known) return known
  const isNext = previous !== null && code - 258 === table.length
  return isNext ? Buffer.concat([previous, previous.subarray(0, 1)]) : null
}
