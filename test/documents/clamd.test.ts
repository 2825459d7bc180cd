// clamd as a scanner: the real daemon over both kinds of socket, and one that lies, hangs
// and breaks off. Debian's package clamav-daemon has the real one; CI always installs it.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createClamd } from '../../src/documents/clamd.ts'
import type { ContentType } from '../../src/documents/file_type.ts'
import type { Scanner } from '../../src/documents/scanner.ts'
import {
  type FakeClamd,
  type RealClamd,
  isClamdInstalled,
  misbehaviours,
  startClamd,
  startFakeClamd,
} from '../setup/clamd.ts'
import { deflated, eicar, fifteenMiB, noise, pdf, pdfOfSize, png, shared, stream } from '../setup/files.ts'

const hasClamd = isClamdInstalled()
const isCi = Boolean(process.env['CI'])
if (!hasClamd) console.warn('clamd is not installed (apt-get install clamav-daemon): its tests are left out')
const describeWithClamd = hasClamd ? describe : describe.skip

const scan = (scanner: Scanner, bytes: Buffer, contentType: ContentType = 'application/pdf') =>
  scanner.scan({ bytes: shared(bytes), contentType })

it('runs with a real clamd in CI', () => {
  expect({ isCi, hasClamd }).not.toEqual({ isCi: true, hasClamd: false })
})

describeWithClamd.each(['tcpUrl', 'socketUrl'] as const)('a real clamd at its %s', (url) => {
  let real: RealClamd
  let clamd: Scanner
  beforeAll(async () => {
    real = await startClamd()
    clamd = createClamd(real[url])
  })
  afterAll(() => real.stop())

  it('answers a ping', async () => {
    await clamd.ping()
  })

  it.each<[string, Buffer, ContentType]>([
    ['a PDF', pdf(), 'application/pdf'],
    ['a PNG', png, 'image/png'],
    ['a PDF of 15 MiB', pdfOfSize(fifteenMiB), 'application/pdf'],
  ])('finds nothing in %s', async (_, bytes, type) => {
    expect(await scan(clamd, bytes, type)).toEqual({
      engine: 'clamav',
      engine_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      signature_version: null,
      rule: null,
    })
  })

  it.each<[string, Buffer, ContentType]>([
    ['plain', eicar, 'application/pdf'],
    ['renamed to .png', eicar, 'image/png'],
    ['in a plain stream of a PDF', pdf({ objects: [stream(eicar)] }), 'application/pdf'],
    ['in a deflated stream of a PDF', pdf({ objects: [deflated(eicar)] }), 'application/pdf'],
    ['megabytes into a PDF', pdf({ objects: [stream(Buffer.concat([noise(9_000_000), eicar]))] }), 'application/pdf'],
    ['at the end of 15 MiB', Buffer.concat([pdfOfSize(fifteenMiB - eicar.length), eicar]), 'application/pdf'],
  ])('finds EICAR %s', async (_, bytes, type) => {
    expect(await scan(clamd, bytes, type)).toMatchObject({ rule: 'Eicar-Test.UNOFFICIAL' })
  })
})

describeWithClamd('a real clamd over its limit', () => {
  it.each([
    ['of the stream', 'StreamMaxLength'],
    ['of a file', 'MaxFileSize'],
    ['of all that it scans', 'MaxScanSize'],
  ])('%s gives no verdict', async (_, limit) => {
    const real = await startClamd({ [limit]: '1M' })
    try {
      await expect(scan(createClamd(real.tcpUrl), pdfOfSize(3_000_000))).rejects.toHaveProperty('message')
      expect(await scan(createClamd(real.tcpUrl), pdf())).toMatchObject({ rule: null })
    } finally {
      await real.stop()
    }
  })
})

describeWithClamd('a clamd that was killed', () => {
  it('gives no verdict', async () => {
    const real = await startClamd()
    await real.stop()
    await expect(scan(createClamd(real.tcpUrl), png)).rejects.toHaveProperty('message')
    await expect(scan(createClamd(real.socketUrl), png)).rejects.toHaveProperty('message')
    await expect(createClamd(real.tcpUrl).ping()).rejects.toHaveProperty('message')
  })
})

describe('a fake clamd', () => {
  let fake: FakeClamd
  let clamd: Scanner
  beforeAll(async () => {
    fake = await startFakeClamd()
    clamd = createClamd(fake.url, { limitMs: 300 })
  })
  afterAll(() => fake.close())

  it.each(Object.keys(misbehaviours))('that %s gives no verdict, and the next one works', async (name) => {
    const behaviour = misbehaviours[name]
    if (behaviour) fake.behave(behaviour)
    await expect(scan(clamd, noise(2_000_000))).rejects.toHaveProperty('message')
    fake.behave({ when: 'streamed', act: (socket) => void socket.end('stream: OK\0') })
    expect(await scan(clamd, png)).toEqual({
      engine: 'clamav',
      engine_version: '9.9.9',
      signature_version: '12345',
      rule: null,
    })
  })

  it('that answers in pieces is understood', async () => {
    fake.behave({
      when: 'streamed',
      act: (socket) => {
        socket.setNoDelay()
        for (const piece of ['stream: Win.Tro', 'jan FOU', 'ND\0']) socket.write(piece)
      },
    })
    expect(await scan(clamd, png)).toMatchObject({ rule: 'Win.Trojan' })
  })
})
