// Part headers, however the network cuts the body into pieces.
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { followPartHeaders } from '../../src/http/part_headers.ts'
import { type Part, boundary, multipart } from '../setup/files.ts'

/** What comes out when a body goes in in pieces of these lengths, over and over. */
async function pass(body: Buffer, lengths: number[]) {
  const headers = followPartHeaders(boundary)
  const passed = buffer(headers.cleaner)
  for (let at = 0, turn = 0; at < body.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1
    headers.cleaner.write(body.subarray(at, at + length))
    at += length
  }
  headers.cleaner.end()
  // The line end before the first delimiter is added.
  return { body: (await passed).subarray(2), isDeclared: headers.isFileTypeDeclared() }
}

const pieces = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 })
const file = (type: string | null, data: Buffer | string = 'x\r\n\r\n--'): Part => ({
  fileName: '"a.pdf"',
  type,
  data,
})
const field: Part = { name: 'document_type', type: 'text/plain', data: '\r\n------test' }

describe('a body in pieces', () => {
  it('passes unchanged, whatever the file holds', async () => {
    const content = fc.uint8Array({ maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(content, pieces, async (data, lengths) => {
        const body = multipart([field, file('application/pdf', Buffer.from(data)), field])
        expect((await pass(body, lengths)).body.equals(body)).toBe(true)
      }),
    )
  })

  it('loses the control characters of its headers, and only those', async () => {
    const dirty = multipart([{ fileName: '"a\u0000\u0007\u001f\u007fü.pdf"', data: '\u0000\u0007' }])
    const clean = multipart([{ fileName: '"aü.pdf"', data: '\u0000\u0007' }])
    await fc.assert(
      fc.asyncProperty(pieces, async (lengths) => {
        expect((await pass(dirty, lengths)).body.equals(clean)).toBe(true)
      }),
    )
  })

  it.each<[boolean, Part[]]>([
    [true, [file('text/plain')]],
    [true, [field, file('application/pdf')]],
    [false, [file(null)]],
    [false, [field, file(null), field]],
    [false, [{ ...field, data: 'Content-Disposition: x; filename=y\r\nContent-Type: z\r\n\r\n' }]],
  ])('tells that a type is declared: %j', async (isDeclared, parts) => {
    await fc.assert(
      fc.asyncProperty(pieces, async (lengths) => {
        expect(await pass(multipart(parts), lengths)).toMatchObject({ isDeclared })
      }),
    )
  })
})
