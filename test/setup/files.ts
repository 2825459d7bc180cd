// Files to upload, made here so that nobody has to wonder what is in them, and the
// multipart bodies that carry them. EICAR stands in two halves, or scanners on
// developers' machines would take this file away.
import { createCipheriv } from 'node:crypto'
import { deflateSync } from 'node:zlib'

export const eicar = Buffer.from(
  'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-' + 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*',
  'latin1',
)

export const fifteenMiB = 15 * 1024 * 1024

type PdfParts = {
  /** Entries of the catalogue's dictionary. */
  catalogue?: string
  /** Further objects, from number 4 on, each with its own dictionary or stream. */
  objects?: (string | Buffer)[]
  /** Entries of the trailer's dictionary. */
  trailer?: string
}

/** A PDF of one empty page, with a cross-reference table that is right. */
export function pdf({ catalogue = '', objects = [], trailer = '' }: PdfParts = {}): Buffer {
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
    ...objects,
  ]
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let size = chunks[0]?.length ?? 0
  const add = (chunk: string | Buffer): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk
    chunks.push(bytes)
    size += bytes.length
  }
  for (const [index, object] of all.entries()) {
    offsets.push(size)
    add(`${index + 1} 0 obj\n`)
    add(object)
    add('\nendobj\n')
  }
  const start = size
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  add(`xref\n0 ${all.length + 1}\n0000000000 65535 f \n${entries.join('')}`)
  add(`trailer\n<< /Size ${all.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`)
  return Buffer.concat(chunks)
}

/** A stream object; the data is taken as it is, whatever filter the dictionary names. */
export function stream(data: Buffer, dictionary = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${data.length} ${dictionary} >>\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream', 'latin1'),
  ])
}

export const deflated = (data: Buffer, dictionary = ''): Buffer =>
  stream(deflateSync(data), `/Filter /FlateDecode ${dictionary}`)

/** An object stream, in which PDF 1.5 packs other objects. */
export const objectStream = (object: string): Buffer =>
  deflated(Buffer.from(`9 0 ${object}`, 'latin1'), '/Type /ObjStm /N 1 /First 4')

/** A clean PDF of exactly so many bytes: a stream that nothing compresses fills it. */
export function pdfOfSize(bytes: number): Buffer {
  const empty = pdf({ objects: [stream(Buffer.alloc(0))] }).length
  const digits = 8
  const filler = noise(bytes - empty - digits)
  const made = pdf({ objects: [stream(filler)] })
  return made.length === bytes ? made : pdf({ objects: [stream(noise(filler.length + bytes - made.length))] })
}

/** Bytes that look random and are the same in each run. */
export const noise = (bytes: number): Buffer =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(bytes))

/** A PNG of one transparent pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
)

const jpegHead = 'ffd8ffe000104a46494600010100000100010000'

/** The frame of a JPEG with a comment in it. */
export function jpeg(comment: Buffer = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(comment.length + 2)
  return Buffer.concat([
    Buffer.from(jpegHead, 'hex'),
    Buffer.from('fffe', 'hex'),
    length,
    comment,
    Buffer.from('ffd9', 'hex'),
  ])
}

/** A lossless WebP of one pixel. */
export const webp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')

/** A ZIP archive that holds one stored file. */
export function zip(name: string, data: Buffer): Buffer {
  const title = Buffer.from(name)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt32LE(data.length, 18)
  local.writeUInt32LE(data.length, 22)
  local.writeUInt16LE(title.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt32LE(data.length, 20)
  entry.writeUInt32LE(data.length, 24)
  entry.writeUInt16LE(title.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length + title.length, 12)
  end.writeUInt32LE(local.length + title.length + data.length, 16)
  return Buffer.concat([local, title, data, entry, title, end])
}

/** The least that Windows takes for a program. */
export function windowsProgram(): Buffer {
  const program = Buffer.alloc(256)
  program.write('MZ', 0)
  program.writeUInt32LE(0x80, 60)
  program.write('PE\0\0', 0x80)
  return program
}

export type Part = {
  name?: string
  /** Written as it is, after `filename=`. */
  fileName?: string
  type?: string | null
  data: Buffer | string
  /** The whole line, instead of one made from name and fileName. */
  disposition?: string
}

export const boundary = '----test-7MA4YWxkTrZu0gW'

/** A multipart/form-data body, its parts as they are told. */
export function multipart(parts: Part[]): Buffer {
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headerOf(part)}\r\n\r\n`),
    Buffer.from(part.data),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
}

function headerOf({ name = 'file', fileName, type, disposition }: Part): string {
  const file = fileName === undefined ? '' : `; filename=${fileName}`
  const lines = [
    disposition ?? `Content-Disposition: form-data; name="${name}"${file}`,
    ...(type ? [`Content-Type: ${type}`] : []),
  ]
  return lines.join('\r\n')
}

export const multipartType = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }

/** Bytes as scanners get them: in shared memory. */
export function shared(bytes: Buffer): Buffer {
  const memory = Buffer.from(new SharedArrayBuffer(bytes.length))
  bytes.copy(memory)
  return memory
}
