// POST /quotes/{quote_id}/documents, by the status that it answers.
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createDocuments } from '../../src/documents/attach.ts'
import { createClamd } from '../../src/documents/clamd.ts'
import { createYara } from '../../src/documents/yara.ts'
import { type Answer, type TestApi, createApi, freshKey } from '../setup/api.ts'
import { createProducts, quoteRequest } from '../setup/catalogue.ts'
import { type FakeClamd, misbehaviours, startFakeClamd } from '../setup/clamd.ts'
import { createKey, createTenant } from '../setup/database.ts'
import { countStored, createQuote, upload, uploadFile } from '../setup/documents.ts'
import {
  type Part,
  boundary,
  deflated,
  eicar,
  fifteenMiB,
  jpeg,
  multipart,
  multipartType,
  noise,
  pdf,
  pdfOfSize,
  png,
  stream,
  webp,
  zip,
} from '../setup/files.ts'

let api: TestApi
let quoteId: string
let before: Awaited<ReturnType<typeof countStored>>

beforeAll(async () => {
  api = await createApi()
  await createProducts(api.db, api.tenant)
  quoteId = await createQuote(api)
})
afterAll(() => api.close())
beforeEach(async () => {
  before = await countStored(api)
})

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

/** The whole refusal, and that nothing was attached. */
async function expectRefusal(answer: Answer<any>, status: number, code: string, more: object = {}) {
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({
    code,
    message: expect.any(String),
    request_id: answer.headers.get('x-request-id'),
    ...more,
  })
  expect(await countStored(api)).toEqual(before)
}

const fileFault = (type: string) => ({
  detail: [{ loc: ['body', 'file'], msg: expect.any(String), type }],
})

describe('201', () => {
  it('attaches a PDF, with its bytes, its verdict and its key', async () => {
    const data = pdf()
    const answer = await upload(api, quoteId, [
      { fileName: '"letter.pdf"', type: 'application/pdf', data },
      { name: 'document_type', data: 'letter_of_engagement' },
    ])
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: uuid,
      file_name: 'letter.pdf',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      byte_size: data.length,
      content_type: 'application/pdf',
    })
    const { rows } = await api.db.owner.query(
      `select documents.*, document_bytes.bytes, api_keys.tenant_id as key_tenant
      from app.documents
      inner join app.document_bytes on document_id = id
      inner join auth.api_keys on api_keys.id = api_key_id
      where documents.id = $1`,
      [answer.body.id],
    )
    expect(rows).toEqual([
      {
        tenant_id: api.tenant.id,
        id: answer.body.id,
        quote_id: quoteId,
        file_name: 'letter.pdf',
        content_type: 'application/pdf',
        byte_size: data.length,
        document_type: 'letter_of_engagement',
        sha256: createHash('sha256').update(data).digest(),
        storage: 'postgres',
        verdicts: [
          {
            engine: 'yara-x',
            engine_version: expect.any(String),
            signature_version: expect.stringMatching(/^sha256:/),
          },
        ],
        api_key_id: uuid,
        created_at: new Date(answer.body.created_at),
        bytes: data,
        key_tenant: api.tenant.id,
      },
    ])
  })

  it.each<[string, Buffer]>([
    ['application/pdf', pdf()],
    ['image/png', png],
    ['image/jpeg', jpeg()],
    ['image/webp', webp],
  ])('knows %s by its bytes, declared or not, whatever the name', async (type, data) => {
    for (const declared of [type, 'application/octet-stream', null, type.toUpperCase()]) {
      const answer = await uploadFile(api, quoteId, data, { fileName: '"a.exe"', type: declared })
      expect(answer).toMatchObject({ status: 201, body: { content_type: type, file_name: 'a.exe' } })
    }
  })

  it('takes the other spelling of JPEG', async () => {
    const answer = await uploadFile(api, quoteId, jpeg(), { type: 'image/jpg' })
    expect(answer).toMatchObject({ status: 201, body: { content_type: 'image/jpeg' } })
  })

  it.each([
    ['left out', undefined],
    ['empty', ''],
    ['white space', '  '],
  ])('takes a document_type that is %s for other', async (_, value) => {
    const { body } = await upload(api, quoteId, [
      ...(value === undefined ? [] : [{ name: 'document_type', data: value }]),
      { fileName: '"a.pdf"', data: pdf() },
    ])
    const { rows } = await api.db.owner.query('select document_type from app.documents where id = $1', [body.id])
    expect(rows).toEqual([{ document_type: 'other' }])
  })

  it('takes a file of exactly 15 MiB', async () => {
    const answer = await uploadFile(api, quoteId, pdfOfSize(fifteenMiB))
    expect(answer).toMatchObject({ status: 201, body: { byte_size: fifteenMiB } })
  })

  it('takes X-SVC-Api-Key and a boundary in quotes', async () => {
    const answer = await upload(api, quoteId, [{ fileName: '"a.pdf"', data: pdf() }], {
      key: undefined,
      headers: {
        'X-SVC-Api-Key': api.tenant.key,
        'Content-Type': `Multipart/Form-Data; charset=utf-8; boundary="${boundary}"`,
      },
    })
    expect(answer.status).toBe(201)
  })

  it('takes what fetch and FormData send', async () => {
    const form = new FormData()
    form.set('file', new Blob([pdf()], { type: 'application/pdf' }), 'Zusage – ü.pdf')
    const response = await fetch(`${api.url}/public/v1/quotes/${quoteId}/documents`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${api.tenant.key}` },
      body: form,
    })
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 201,
      body: { file_name: 'Zusage – ü.pdf' },
    })
  })
})

describe('201 keeps the name', () => {
  it.each<[string, string, string]>([
    ['in UTF-8', '"Größe 見積書 🏠.pdf"', 'Größe 見積書 🏠.pdf'],
    ['of RFC 5987', 'x.pdf; filename*=UTF-8\'\'%E2%82%AC%20rates.pdf', '€ rates.pdf'],
    ['after slashes', '"../../etc/passwd"', 'passwd'],
    ['after backslashes', '"C:\\Users\\Jane\\letter.pdf"', 'letter.pdf'],
    ['after both', '"a/b\\..\\c.pdf"', 'c.pdf'],
    ['without control characters', '"a\u0000\u0007b\u007f\u0085c%0D%0A.pdf"', 'abc.pdf'],
    ['without marks that turn it around', '"invoice\u202Efdp.exe"', 'invoicefdp.exe'],
    ['with its percent signs', '"50%25 off 100%.pdf"', '50%25 off 100%.pdf'],
    ['when it is only dots', '".."', 'document.pdf'],
    ['when nothing is left', '"a/"', 'document.pdf'],
    ['of 300 bytes at 255, with its ending', `"${'a'.repeat(296)}.pdf"`, `${'a'.repeat(251)}.pdf`],
    ['of 300 bytes without an ending', `"${'b'.repeat(300)}"`, 'b'.repeat(255)],
    ['without cutting a character', `"${'€'.repeat(100)}.pdf"`, `${'€'.repeat(83)}.pdf`],
    ['without cutting a pair', `"${'🏠'.repeat(80)}"`, '🏠'.repeat(63)],
  ])('%s', async (_, fileName, kept) => {
    const answer = await uploadFile(api, quoteId, pdf(), { fileName })
    expect(answer).toMatchObject({ status: 201, body: { file_name: kept } })
    expect(Buffer.byteLength(answer.body.file_name)).toBeLessThanOrEqual(255)
  })
})

describe('401', () => {
  it.each([
    ['no key', undefined],
    ['a malformed key', 'svc_test_nonsense'],
  ])('with %s, before anything else', async (_, key) => {
    const answer = await api.send('POST', '/quotes/nonsense/documents', { key: key as string, raw: 'x' })
    await expectRefusal(answer, 401, 'unauthorized')
  })

  it('with a revoked key', async () => {
    const tenant = await createTenant(api.db)
    await api.db.owner.query('update auth.api_keys set revoked_at = now() where tenant_id = $1', [tenant.id])
    const answer = await upload(api, 'nonsense', [], { key: tenant.key })
    await expectRefusal(answer, 401, 'unauthorized')
  })
})

describe('403', () => {
  it('without files:write', async () => {
    const key = await createKey(api.db, api.tenant.id, { scopes: ['quotes:write', 'quotes:read'] })
    const answer = await upload(api, quoteId, [{ fileName: '"a.pdf"', data: pdf() }], { key })
    await expectRefusal(answer, 403, 'insufficient_scope')
    expect(answer.headers.get('www-authenticate')).toContain('scope="files:write"')
  })
})

describe('404', () => {
  it('for a quote that nobody has, whatever the body is', async () => {
    const answer = await api.send('POST', `/quotes/${crypto.randomUUID()}/documents`, { raw: 'x' })
    await expectRefusal(answer, 404, 'not_found')
  })

  it('for a quote of another company', async () => {
    const other = await createTenant(api.db)
    await createProducts(api.db, other)
    const { body } = await api.send('POST', '/quotes', {
      key: other.key,
      headers: freshKey(),
      body: quoteRequest(),
    })
    await expectRefusal(await uploadFile(api, body.id, pdf()), 404, 'not_found')
  })
})

describe('405', () => {
  it.each(['GET', 'PUT', 'DELETE'])('for %s: documents never leave by this API', async (method) => {
    const answer = await api.send(method, `/quotes/${quoteId}/documents`)
    await expectRefusal(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toBe('POST')
  })
})

describe('413', () => {
  it('for one byte more than 15 MiB', async () => {
    const answer = await uploadFile(api, quoteId, Buffer.concat([pdfOfSize(fifteenMiB), Buffer.of(0x0a)]))
    await expectRefusal(answer, 413, 'file_too_large')
  })

  it('from the declared length alone, before any of it is sent', async () => {
    const socket = open({ 'Content-Length': String(100 * fifteenMiB) })
    expect(await firstLine(socket)).toBe('HTTP/1.1 413 Payload Too Large')
    socket.destroy()
    expect(await countStored(api)).toEqual(before)
  })

  it('while a body of unknown length still streams', async () => {
    const socket = open({ 'Transfer-Encoding': 'chunked' })
    const answered = firstLine(socket)
    const head = multipart([{ fileName: '"a.pdf"', data: pdf() }]).subarray(0, 300)
    writeChunk(socket, head)
    let sent = 0
    let isAnswered = false
    void answered.then(() => {
      isAnswered = true
    })
    while (!isAnswered && sent < 10 * fifteenMiB) {
      writeChunk(socket, noise(64 * 1024))
      sent += 64 * 1024
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await answered).toBe('HTTP/1.1 413 Payload Too Large')
    socket.destroy()
    expect(await countStored(api)).toEqual(before)
  })
})

describe('415', () => {
  it.each<[string, Record<string, string>]>([
    ['JSON', { 'Content-Type': 'application/json' }],
    ['a form of another kind', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['another multipart', { 'Content-Type': `multipart/mixed; boundary=${boundary}` }],
    ['a multipart without a boundary', { 'Content-Type': 'multipart/form-data' }],
    ['a compressed body', { ...multipartType, 'Content-Encoding': 'gzip' }],
  ])('for %s', async (_, headers) => {
    const answer = await upload(api, quoteId, [{ fileName: '"a.pdf"', data: pdf() }], { headers })
    await expectRefusal(answer, 415, 'unsupported_media_type')
  })

  it.each<[string, Buffer]>([
    ['text', Buffer.from('Dear Sir')],
    ['nothing', Buffer.alloc(0)],
    ['a GIF', Buffer.from('GIF89a')],
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a ZIP', zip('a.txt', Buffer.from('x'))],
    ['a PDF that begins as something else', Buffer.concat([Buffer.from('GIF89a'), pdf()])],
    ['a RIFF that is no WebP', Buffer.from('RIFF\x10\0\0\0WAVEfmt ')],
  ])('for bytes of %s, whatever they are called', async (_, data) => {
    for (const part of [{ type: 'application/pdf' }, { fileName: '"a.png"', type: null }]) {
      await expectRefusal(await uploadFile(api, quoteId, data, part), 415, 'unsupported_media_type')
    }
  })

  it.each<[string, Buffer]>([
    ['image/png', pdf()],
    ['application/pdf', png],
    ['image/jpeg', webp],
    ['text/plain', pdf()],
    ['text/html', png],
  ])('for a file that is declared as %s and is something else', async (type, data) => {
    await expectRefusal(await uploadFile(api, quoteId, data, { type }), 415, 'unsupported_media_type')
  })
})

describe('422 validation_error', () => {
  const file: Part = { fileName: '"a.pdf"', type: 'application/pdf', data: pdf() }
  it.each<[string, Part[], string]>([
    ['no part', [], 'missing'],
    ['no file', [{ name: 'document_type', data: 'other' }], 'missing'],
    ['a file input left empty', [{ fileName: '""', type: 'application/octet-stream', data: '' }], 'missing'],
    ['text in its place', [{ data: 'letter.pdf' }], 'file_type'],
    ['another field name', [{ ...file, name: 'upload' }], 'unexpected_file'],
    ['a second file', [file, file], 'too_many_files'],
    ['a second file of another name', [file, { ...file, name: 'attachment' }], 'too_many_files'],
  ])('at the file for %s', async (_, parts, type) => {
    await expectRefusal(await upload(api, quoteId, parts), 422, 'validation_error', fileFault(type))
  })

  it.each<[string, Buffer]>([
    ['empty', Buffer.alloc(0)],
    ['no multipart at all', Buffer.from('%PDF-1.7')],
    ['cut short', multipart([file]).subarray(0, -40)],
    ['cut within a header', multipart([file]).subarray(0, 60)],
  ])('at the file for a body that is %s', async (_, raw) => {
    const answer = await upload(api, quoteId, [], { raw })
    await expectRefusal(answer, 422, 'validation_error', fileFault('multipart'))
  })

  it.each(['Letter', '1st', 'a-b', 'a b', `a${'b'.repeat(64)}`, 'é'])(
    'for the document_type %j',
    async (data) => {
      const answer = await upload(api, quoteId, [file, { name: 'document_type', data }])
      await expectRefusal(answer, 422, 'validation_error', {
        detail: [{ loc: ['body', 'document_type'], msg: expect.any(String), type: expect.any(String) }],
      })
    },
  )

  it('for a document_type given twice', async () => {
    const part: Part = { name: 'document_type', data: 'other' }
    const answer = await upload(api, quoteId, [file, part, part])
    await expectRefusal(answer, 422, 'validation_error', {
      detail: [{ loc: ['body', 'document_type'], msg: expect.any(String), type: 'string_type' }],
    })
  })

  it('for a field that it does not know', async () => {
    const answer = await upload(api, quoteId, [file, { name: 'note', data: 'x' }])
    await expectRefusal(answer, 422, 'validation_error', {
      detail: [{ loc: ['body', 'note'], msg: expect.any(String), type: 'extra_forbidden' }],
    })
  })

  it.each<[string, Part[]]>([
    ['too many', Array.from({ length: 40 }, (_, index) => ({ name: `f${index}`, data: 'x' }))],
    ['nested', [{ name: 'a[b]', data: 'x' }]],
    ['an array', [{ name: 'a[99999999]', data: 'x' }]],
    ['a prototype', [{ name: '__proto__[x]', data: 'x' }]],
    ['with a long name', [{ name: 'n'.repeat(200), data: 'x' }]],
    ['long', [{ name: 'document_type', data: 'x'.repeat(2000) }]],
  ])('for fields that are %s', async (_, parts) => {
    const answer = await upload(api, quoteId, [...parts, file])
    await expectRefusal(answer, 422, 'validation_error', { detail: expect.any(Array) })
  })

  it('for an id in the path that is no UUID', async () => {
    await expectRefusal(await uploadFile(api, 'nonsense', pdf()), 422, 'validation_error', {
      detail: [{ loc: ['path', 'quote_id'], msg: expect.any(String), type: expect.any(String) }],
    })
  })
})

describe('422 file_rejected', () => {
  it('leaves a record of what was refused, and nothing else', async () => {
    const data = pdf({ objects: [deflated(eicar)] })
    const answer = await uploadFile(api, quoteId, data, { fileName: '"../bad.pdf"' })
    expect(answer).toMatchObject({ status: 422, body: { code: 'file_rejected' } })
    expect(await countStored(api)).toEqual({ ...before, refusals: (before?.['refusals'] ?? 0) + 1 })
    const { rows } = await api.db.owner.query(
      'select * from app.rejected_uploads order by id desc limit 1',
    )
    expect(rows).toEqual([
      {
        tenant_id: api.tenant.id,
        id: uuid,
        quote_id: quoteId,
        file_name: 'bad.pdf',
        byte_size: data.length,
        sha256: createHash('sha256').update(data).digest(),
        rule: 'eicar_test_file',
        engine: 'yara-x',
        engine_version: expect.any(String),
        signature_version: expect.stringMatching(/^sha256:/),
        api_key_id: uuid,
        created_at: expect.any(Date),
      },
    ])
  })

  it.each<[string, Buffer]>([
    ['EICAR at the end of 15 MiB', Buffer.concat([pdfOfSize(fifteenMiB - eicar.length), eicar])],
    ['EICAR behind a PNG', Buffer.concat([png, eicar])],
    ['a PDF with JavaScript', pdf({ catalogue: '/OpenAction << /S /JavaScript /JS (x) >>' })],
    ['a PDF that is also a ZIP', Buffer.concat([pdf(), zip('a.exe', Buffer.from('x'))])],
    ['a PNG that is also HTML', Buffer.concat([png, Buffer.from('<html><script>1</script>')])],
    ['a JPEG that is also PHP', jpeg(Buffer.from('<?php system("id"); ?>'))],
    ['a PDF with a file in it', pdf({ objects: [stream(Buffer.from('x'), '/Type /EmbeddedFile')] })],
  ])('for %s', async (_, data) => {
    const answer = await uploadFile(api, quoteId, data, { type: null })
    expect(answer).toMatchObject({ status: 422, body: { code: 'file_rejected' } })
    expect(await countStored(api)).toMatchObject({ documents: before?.['documents'] })
  })
})

describe('503 scanner_unavailable', () => {
  let fake: FakeClamd
  let scanned: TestApi
  beforeAll(async () => {
    fake = await startFakeClamd()
    scanned = await createApi({
      db: api.db,
      documents: (caller) =>
        createDocuments({
          caller,
          scanners: [createYara(), createClamd(fake.url, { limitMs: 300 })],
          store: null,
          concurrency: 1,
        }),
    })
  })
  afterAll(async () => {
    await scanned.close()
    await fake.close()
  })

  const send = (data = pdf()) =>
    upload(scanned, quoteId, [{ fileName: '"a.pdf"', data }], { key: api.tenant.key })

  it.each(Object.keys(misbehaviours))('when clamd %s; the next upload works', async (name) => {
    const behaviour = misbehaviours[name]
    if (behaviour) fake.behave(behaviour)
    const answer = await send(pdfOfSize(1_000_000))
    await expectRefusal(answer, 503, 'scanner_unavailable')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)

    fake.behave({ when: 'streamed', act: (socket) => void socket.end('stream: OK\0') })
    expect(await send()).toMatchObject({ status: 201 })
  })

  it('but 422 when one scanner finds something, whatever the other does', async () => {
    fake.behave({ when: 'streamed', act: (socket) => void socket.end('stream: Win.Trojan FOUND\0') })
    expect(await send()).toMatchObject({ status: 422, body: { code: 'file_rejected' } })
    fake.behave({ when: 'streamed', act: (socket) => void socket.destroy() })
    const both = await send(pdf({ objects: [stream(eicar)] }))
    expect(both).toMatchObject({ status: 422, body: { code: 'file_rejected' } })
  })

  it('and the verdicts of both are kept when both are good', async () => {
    fake.behave({ when: 'streamed', act: (socket) => void socket.end('stream: OK\0') })
    const { body } = await send()
    const { rows } = await api.db.owner.query('select verdicts from app.documents where id = $1', [body.id])
    expect(rows[0].verdicts).toEqual([
      expect.objectContaining({ engine: 'yara-x' }),
      { engine: 'clamav', engine_version: '9.9.9', signature_version: '12345' },
    ])
  })
})

describe('the body', () => {
  it('is not called for before the key, the scope and the quote are known to be good', async () => {
    const unknown = open({ Expect: '100-continue' }, crypto.randomUUID())
    expect(await firstLine(unknown)).toBe('HTTP/1.1 404 Not Found')
    unknown.destroy()

    const known = open({ Expect: '100-continue', 'Content-Length': '1000' })
    expect(await firstLine(known)).toBe('HTTP/1.1 100 Continue')
    known.destroy()
  })

  it('that breaks off leaves nothing behind, and its place is free again', async () => {
    const single = await createApi({
      db: api.db,
      documents: (caller) =>
        createDocuments({ caller, scanners: [createYara()], store: null, concurrency: 1 }),
    })
    try {
      const raw = multipart([{ fileName: '"a.pdf"', data: pdfOfSize(3_000_000) }])
      for (const share of [0.01, 0.5, 0.99]) {
        const socket = open({ 'Content-Length': String(raw.length) }, quoteId, single.url)
        await new Promise<void>((resolve) => {
          socket.write(raw.subarray(0, Math.floor(raw.length * share)), () => resolve())
        })
        socket.destroy()
      }
      const next = await upload(single, quoteId, [{ fileName: '"a.pdf"', data: pdf() }], {
        key: api.tenant.key,
      })
      expect(next.status).toBe(201)
      const stored = await countStored(api)
      expect(stored?.['documents']).toBe((before?.['documents'] ?? 0) + 1)
    } finally {
      await single.close()
    }
  })
})

/** A request's head on a connection of its own; its body is the test's business. */
function open(headers: Record<string, string>, quote = quoteId, url = api.url) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  const lines = {
    Host: 'test',
    Authorization: `Bearer ${api.tenant.key}`,
    ...multipartType,
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /public/v1/quotes/${quote}/documents HTTP/1.1\r\n${head.join('')}\r\n`)
  return socket
}

function writeChunk(socket: ReturnType<typeof connect>, data: Buffer): void {
  socket.write(`${data.length.toString(16)}\r\n`)
  socket.write(data)
  socket.write('\r\n')
}

async function firstLine(socket: ReturnType<typeof connect>): Promise<string> {
  const data = await new Promise<Buffer>((resolve, reject) => {
    socket.once('data', resolve)
    socket.once('close', () => reject(new Error('closed without an answer')))
  })
  return data.toString('latin1').split('\r\n')[0] ?? ''
}
