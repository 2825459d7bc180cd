// Bytes that are no HTTP request still get the envelope, and nothing breaks.
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ErrorCode, errorCodes } from '../../src/http/error_codes.ts'
import { type TestApi, createApi } from '../setup/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await createApi()
})
afterAll(() => api.close())

/** Sends bytes as they are and gives all that comes back. */
async function sendBytes(bytes: string): Promise<{ status: string; body: any; link: string }> {
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  socket.end(bytes)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  expect(head).toMatch(/^X-Request-Id: /im)
  const [, link = ''] = /^Link: (.*)$/im.exec(head) ?? []
  return { status: head.split(' ')[1] ?? '', body: JSON.parse(body), link }
}

const refusal = (code: ErrorCode) => ({
  status: String(errorCodes[code].status),
  body: { code, message: expect.any(String), request_id: expect.any(String) },
  link: `</docs/errors/${code}>; rel="help"`,
})

describe('400', () => {
  it.each([
    ['text', 'hello\r\n\r\n'],
    ['a bad header', 'GET /public/v1/health HTTP/1.1\r\nHost: a\r\nBad Header\r\n\r\n'],
    ['a missing host', 'GET /public/v1/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two lengths', 'POST /public/v1/quotes HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['length and chunks', 'POST /public/v1/quotes HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ])('answers %s', async (_name, bytes) => {
    expect(await sendBytes(bytes)).toEqual(refusal('bad_request'))
  })
})

describe('431', () => {
  it('answers headers past 16 KiB', async () => {
    const bytes = `GET /public/v1/health HTTP/1.1\r\nHost: a\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`
    expect(await sendBytes(bytes)).toEqual(refusal('headers_too_large'))
  })
})
