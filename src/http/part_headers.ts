// The header lines of a multipart body's parts, on their way to the parser. It refuses a
// body for a control character in a file's name, which is no reason to; and it can't tell
// a part that is declared as text/plain from one that declares nothing.
import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'

const headersEnd = '\r\n\r\n'
/** The parser gives up on longer headers by itself. */
const longestHeaders = 16_384

export type PartHeaders = {
  /** Passes a body on, with its part headers cleaned. */
  cleaner: Transform
  /** Whether the part that is a file has a Content-Type line. */
  isFileTypeDeclared(): boolean
}

/** Follows the body whose Content-Type names this boundary. */
export function followPartHeaders(boundary: string): PartHeaders {
  const delimiter = `\r\n--${boundary}\r\n`
  const blocks: string[] = []
  // The first delimiter has no line before it; one more is no harm.
  let pending: Buffer = Buffer.from('\r\n')
  let isInHeaders = false

  /** Takes what is complete off the pending bytes; null when more must come first. */
  function next(): Buffer | null {
    return isInHeaders ? nextHeaders() : nextContent()
  }
  function nextContent(): Buffer | null {
    const found = pending.indexOf(delimiter, 0, 'latin1')
    isInHeaders = found >= 0
    // The delimiter's line end may also be the first half of the headers' end.
    if (isInHeaders) return take(found + delimiter.length - 2)
    const whole = pending.length - delimiter.length + 1
    return whole > 0 ? take(whole) : null
  }
  function nextHeaders(): Buffer | null {
    const end = pending.indexOf(headersEnd)
    if (end < 0 && pending.length < longestHeaders) return null
    isInHeaders = false
    const block = take(end < 0 ? pending.length : end + headersEnd.length)
    const clean = block.toString('latin1').replaceAll(unprintable, '')
    blocks.push(clean)
    return Buffer.from(clean, 'latin1')
  }
  function take(bytes: number): Buffer {
    const taken = pending.subarray(0, bytes)
    pending = pending.subarray(bytes)
    return taken
  }
  // Most of a body is the file: where no delimiter crosses the seam of two chunks, they
  // needn't be copied together.
  function join(chunk: Buffer): void {
    const seam = Buffer.concat([pending, chunk.subarray(0, delimiter.length)])
    if (isInHeaders || seam.includes(delimiter, 0, 'latin1') || chunk.length < delimiter.length) {
      pending = Buffer.concat([pending, chunk])
    } else {
      cleaner.push(pending)
      pending = chunk
    }
  }

  // One chunk a turn: while the reader keeps up, two MiB of a fast sender would be read
  // before anybody else has a turn.
  const cleaner = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      join(chunk)
      for (let part = next(); part; part = next()) cleaner.push(part)
      setImmediate(done)
    },
    flush: (done) => done(null, pending),
  })
  return {
    cleaner,
    isFileTypeDeclared: () =>
      blocks.some((block) => isFile.test(block) && /^content-type:/im.test(block)),
  }
}

// Line ends and tabs belong to headers. Bytes of UTF-8 are all above.
const unprintable = /[^\t\r\n\x20-\x7e\x80-\xff]/g

const isFile = /^content-disposition:.*\bfilename\*?\s*=/im

/** The boundary of a multipart/form-data body; undefined where the type is another one. */
export function boundaryOf(request: IncomingMessage): string | undefined {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'multipart/form-data') return undefined
  const given = /^\s*boundary=(?:"([^"]{1,200})"|([^\s"]{1,200}))\s*$/i
  for (const parameter of parameters) {
    const [, quoted, bare] = given.exec(parameter) ?? []
    if (quoted ?? bare) return quoted ?? bare
  }
  return undefined
}
