// Sends the files of /docs: compressed, revalidated by their content, and under a policy
// that lets a page run what came with it and talk to nobody but the API.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import type { Handler } from '../http/run.ts'
import type { Trial } from './trial.ts'

export type File = { path: string; type: string; read: () => Promise<string | Buffer> }

export const html = 'text/html; charset=utf-8'

type Prepared = { plain: Buffer; packed: Buffer; etag: string }

/** The handler of a file. It is read and compressed once, when somebody first asks for it. */
export function fileHandler(file: File, trial: Trial): Handler {
  let prepared: Promise<Prepared> | undefined
  const policy = policyOf(trial)
  return async (request, response) => {
    prepared ??= prepare(file)
    const content = await prepared.catch((error: unknown) => {
      prepared = undefined
      throw error
    })
    response.setHeader('Content-Security-Policy', policy)
    response.setHeader('Referrer-Policy', 'no-referrer')
    response.setHeader('Content-Type', file.type)
    send(request, response, content)
  }
}

async function prepare(file: File): Promise<Prepared> {
  const plain = Buffer.from(await file.read())
  const packed = await promisify(gzip)(plain)
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { plain, packed, etag }
}

function send(request: Request, response: Response, { plain, packed, etag }: Prepared): void {
  response.setHeader('Cache-Control', 'no-cache')
  response.setHeader('Vary', 'Accept-Encoding')
  response.setHeader('ETag', etag)
  if (request.fresh) {
    response.statusCode = 304
    response.end()
    return
  }
  const isPacked = request.acceptsEncodings('gzip') === 'gzip'
  if (isPacked) response.setHeader('Content-Encoding', 'gzip')
  const body = isPacked ? packed : plain
  response.setHeader('Content-Length', body.length)
  response.end(body)
}

// Swagger UI keeps to it: React sets styles through the DOM, which no policy for inline
// styles concerns. Its style sheet has small images in data URLs.
function policyOf(trial: Trial): string {
  const staging = trial instanceof URL ? ` ${trial.origin}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${staging}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
