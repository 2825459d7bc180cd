// Reads one file and the fields beside it from a multipart body, into memory that the
// caller set aside. Every limit is set: what is too large, too much or too slow is refused
// while it streams. What the file is, and whether it does harm, others find out.
import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import type { Request, Response } from 'express'
import multer, { type StorageEngine } from 'multer'
import { ApiError, type Fault, unavailable, validationError } from './errors.ts'
import { type PartHeaders, boundaryOf, followPartHeaders } from './part_headers.ts'
import { countGarbage } from './young_garbage.ts'

/** 15 MiB. */
export const fileLimit = 15 * 1024 * 1024
/** Delimiters, part headers and the fields beside the file. */
const formLimit = 64 * 1024
/** The part that holds the file. */
const fileField = 'file'
/** A sender from whom nothing comes for so long has gone. */
const stallMs = 15_000
/** 15 MiB in this time is 1.3 Mbit/s: slower senders would keep the others waiting. */
const longestMs = 100_000

const limits = {
  fileSize: fileLimit,
  files: 1,
  fields: 8,
  parts: 9,
  fieldNameSize: 64,
  fieldSize: 1024,
  headerPairs: 16,
  fieldNestingDepth: 0,
  fieldArrayIndexLimit: 0,
}

export type ReceivedFile = {
  /** As it was sent. */
  name: string
  /** Lower-case; null where the sender said nothing, or that it doesn't know. */
  declaredType: string | null
  size: number
  sha256: string
}

export type ReceivedForm = { file: ReceivedFile; fields: Record<string, unknown> }

/** Checks the headers before the body is called for. Throws 415 and 413. */
export function requireUpload(request: Request): void {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (boundaryOf(request) === undefined || encoding !== 'identity') {
    throw notMultipart()
  }
  if (Number(request.headers['content-length'] ?? 0) > fileLimit + formLimit) throw tooLarge()
}

/**
 * Reads the body; the file's bytes are the first `size` of `memory`.
 * Throws 413, 415 and 422, and 503 when the sender stalls.
 */
export async function receiveForm(
  request: Request,
  response: Response,
  memory: Buffer,
): Promise<ReceivedForm> {
  const headers = followPartHeaders(boundaryOf(request) ?? '')
  const { promise: failure, reject: fail } = Promise.withResolvers<never>()
  const storage = memoryOf(memory, fail)
  const options: FormOptions = {
    storage: storage.engine,
    limits,
    preservePath: true,
    defParamCharset: 'utf8',
    streamHandler: (_request, parser) => feed(request, headers, parser),
  }
  const form = multer(options).single(fileField)
  const unwatch = watch(request, fail)
  const parsed = new Promise<void>((resolve, reject) => {
    form(request, response, (error?: unknown) => (error ? reject(toFormError(error)) : resolve()))
  })
  try {
    await Promise.race([parsed, failure])
    // A Content-Type that isn't well-formed is nothing to the parser, and it reads nothing.
    if (request.body === undefined) throw notMultipart()
  } finally {
    unwatch()
    // What still comes in must not reach memory that is another upload's by then.
    storage.close()
    request.unpipe()
    parsed.catch(() => {})
    failure.catch(() => {})
  }
  return { file: fileOf(request, headers, storage.sha256()), fields: fieldsOf(request) }
}

// The package's types don't know this option yet.
type FormOptions = multer.Options & {
  streamHandler: (request: unknown, parser: Writable) => void
}

// A parser that gave up takes nothing more; what still comes must then go elsewhere.
function feed(request: Request, { cleaner }: PartHeaders, parser: Writable): void {
  parser.once('close', () => {
    request.unpipe(cleaner)
    request.resume()
  })
  request.pipe(cleaner).pipe(parser)
}

type MemoryStorage = { engine: StorageEngine; close(): void; sha256(): string }

function memoryOf(memory: Buffer, fail: (error: ApiError) => void): MemoryStorage {
  const hash = createHash('sha256')
  let isOpen = true
  return {
    engine: {
      _handleFile: (_request, file, done) => {
        let size = 0
        file.stream.on('limit', () => fail(tooLarge()))
        file.stream.on('data', (chunk: Buffer) => {
          if (!isOpen) return
          size += chunk.copy(memory, size)
          hash.update(chunk)
          countGarbage(chunk.length)
        })
        file.stream.on('end', () => done(null, { size }))
      },
      _removeFile: (_request, _file, done) => done(null),
    },
    close: () => {
      isOpen = false
    },
    sha256: () => hash.digest('hex'),
  }
}

// The declared length may be missing or a lie, and a parser waits for ever. Gives what
// ends the watch.
function watch(request: Request, fail: (error: ApiError) => void): () => void {
  let received = 0
  const giveUp = (): void => fail(unavailable(new Error('the upload stalled')))
  const stall = setTimeout(giveUp, stallMs)
  const overall = setTimeout(giveUp, longestMs)
  const count = (chunk: Buffer): void => {
    stall.refresh()
    received += chunk.length
    if (received > fileLimit + formLimit) fail(tooLarge())
  }
  request.on('data', count)
  return () => {
    request.off('data', count)
    clearTimeout(stall)
    clearTimeout(overall)
  }
}

function fileOf(request: Request, headers: PartHeaders, sha256: string): ReceivedFile {
  const { file } = request
  const fields = request.body as Record<string, unknown>
  if (!file) {
    throw fileField in fields
      ? fileFault('must be a file, not text', 'file_type')
      : fileFault('required', 'missing')
  }
  const type = file.mimetype.toLowerCase()
  const isDeclared =
    type !== 'application/octet-stream' && (type !== 'text/plain' || headers.isFileTypeDeclared())
  return {
    name: file.originalname,
    declaredType: isDeclared ? type : null,
    size: file.size,
    sha256,
  }
}

const fieldsOf = (request: Request): Record<string, unknown> => ({ ...request.body })

const notMultipart = (): ApiError =>
  new ApiError('unsupported_media_type', 'Send the file as multipart/form-data.')

const tooLarge = (): ApiError =>
  new ApiError('file_too_large', 'The file is larger than 15 MiB.')

const fileFault = (msg: string, type: string): ApiError =>
  validationError([{ loc: ['body', fileField], msg, type }])

function toFormError(error: unknown): ApiError {
  const { code, field } = error as { code?: string; field?: string }
  switch (code) {
    case 'LIMIT_FILE_SIZE':
      return tooLarge()
    case 'LIMIT_FILE_COUNT':
      return fileFault('send one file', 'too_many_files')
    case 'LIMIT_UNEXPECTED_FILE':
      return fileFault('send one file, in the field named file', 'unexpected_file')
    case 'LIMIT_FIELD_VALUE':
      return validationError([fieldFault(field, 'too long', 'string_too_long')])
    case 'LIMIT_PART_COUNT':
    case 'LIMIT_FIELD_COUNT':
    case 'LIMIT_FIELD_KEY':
    case 'LIMIT_FIELD_NESTING':
    case 'LIMIT_FIELD_ARRAY_INDEX':
    case 'INVALID_FIELD_NAME':
      return validationError([fieldFault(field, 'unknown property', 'extra_forbidden')])
    default:
      return fileFault('the multipart body is malformed or ends too early', 'multipart')
  }
}

const fieldFault = (field: string | undefined, msg: string, type: string): Fault => ({
  loc: field === undefined ? ['body'] : ['body', field],
  msg,
  type,
})
