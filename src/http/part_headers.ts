// The header lines of a multipart body's parts, read beside the parser, which can't tell
// a part that is declared as text/plain from one that declares nothing.
import type { IncomingMessage } from 'node:http'

const delimiterStart = '\r\n--'
const headersEnd = '\r\n\r\n'
/** The parser gives up on longer headers by itself. */
const longestHeaders = 16_384

export type PartHeaders = {
  push(chunk: Buffer): void
  /** Whether the part that is a file has a Content-Type line. */
  isFileTypeDeclared(): boolean
}

/** Follows the body whose Content-Type names this boundary. */
export function followPartHeaders(boundary: string): PartHeaders {
  const delimiter = `${delimiterStart}${boundary}\r\n`
  const blocks: string[] = []
  // The first delimiter has no line before it.
  let pending = Buffer.from('\r\n')
  let isInHeaders = false

  function step(): boolean {
    if (!isInHeaders) {
      const found = pending.indexOf(delimiter, 0, 'latin1')
      if (found < 0) {
        pending = pending.subarray(Math.max(0, pending.length - delimiter.length + 1))
        return false
      }
      // The line's end may also be the first half of the one that ends the headers.
      pending = pending.subarray(found + delimiter.length - 2)
      isInHeaders = true
    }
    const end = pending.indexOf(headersEnd)
    if (end < 0 && pending.length <= longestHeaders) return false
    blocks.push(pending.toString('latin1', 0, end < 0 ? longestHeaders : end))
    pending = pending.subarray(end < 0 ? longestHeaders : end + headersEnd.length)
    isInHeaders = false
    return true
  }

  return {
    push: (chunk) => {
      pending = Buffer.concat([pending, chunk])
      while (step());
    },
    isFileTypeDeclared: () =>
      blocks.some((block) => isFile.test(block) && /^content-type:/im.test(block)),
  }
}

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
