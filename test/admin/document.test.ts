import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createDocuments } from '../../src/documents/attach.ts'
import { openObjectStore } from '../../src/documents/object_store.ts'
import { createYara } from '../../src/documents/yara.ts'
import { type TestAdmin, createAdmin } from '../setup/admin.ts'
import { type TestApi, createApi } from '../setup/api.ts'
import { createProducts } from '../setup/catalogue.ts'
import { createTenant } from '../setup/database.ts'
import { createQuote, upload, uploadFile } from '../setup/documents.ts'
import { fifteenMiB, pdf, pdfOfSize, png } from '../setup/files.ts'
import { type S3, startS3 } from '../setup/s3.ts'

let admin: TestAdmin
let api: TestApi
let folder: string
beforeAll(async () => {
  admin = await createAdmin()
  api = await createApi({ db: admin.db })
  await createProducts(admin.db, api.tenant)
  folder = await mkdtemp(join(tmpdir(), 'appraisal-documents-'))
})
afterAll(async () => {
  await api.close()
  await admin.close()
  await rm(folder, { recursive: true, force: true })
})

describe('quote show', () => {
  it('lists the documents of the quote, the oldest first, with their verdicts', async () => {
    const [quoteId, otherId] = [await createQuote(api), await createQuote(api)]
    const first = await upload(api, quoteId, [
      { fileName: '"letter.pdf"', data: pdf() },
      { name: 'document_type', data: 'letter_of_engagement' },
    ])
    const second = await uploadFile(api, quoteId, png, { fileName: '"plan.png"', type: null })
    await uploadFile(api, otherId, pdf())

    const { documents } = await admin.json('quote', 'show', quoteId)
    const verdicts = [expect.objectContaining({ engine: 'yara-x' })]
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(documents).toEqual([
      { ...first.body, document_type: 'letter_of_engagement', verdicts, sha256 },
      { ...second.body, document_type: 'other', verdicts, sha256 },
    ])
  })
})

describe('document fetch', () => {
  it('saves the very bytes that were sent, for the operator alone', async () => {
    const data = pdfOfSize(fifteenMiB)
    const { body } = await uploadFile(api, await createQuote(api), data)
    const out = join(folder, 'out.pdf')
    expect(await admin.json('document', 'fetch', body.id, '--out', out)).toMatchObject({
      id: body.id,
      file_name: 'letter.pdf',
      content_type: 'application/pdf',
      byte_size: fifteenMiB,
      out,
    })
    expect((await readFile(out)).equals(data)).toBe(true)
    expect((await stat(out)).mode & 0o777).toBe(0o600)
  })

  it('can NOT overwrite a file', async () => {
    const { body } = await uploadFile(api, await createQuote(api), pdf())
    const out = join(folder, 'once.pdf')
    const fetch = ['document', 'fetch', body.id, '--tenant', api.tenant.slug, '--out', out]
    await admin.json(...fetch)
    expect(await admin.error(...fetch)).toMatchObject({ code: 'file' })
    expect(await admin.error(...fetch.slice(0, -1), folder)).toMatchObject({ code: 'file' })
    expect(await readFile(out)).toEqual(pdf())
  })

  it('can NOT find an unknown document, or one of another tenant than the one named', async () => {
    const { body } = await uploadFile(api, await createQuote(api), pdf())
    const other = await createTenant(admin.db)
    const out = join(folder, 'nothing.pdf')
    const notFound = { code: 'not_found' }
    expect(await admin.error('document', 'fetch', other.id, '--out', out)).toMatchObject(notFound)
    expect(
      await admin.error('document', 'fetch', body.id, '--out', out, '--tenant', other.slug),
    ).toMatchObject(notFound)
    await expect(stat(out)).rejects.toHaveProperty('code', 'ENOENT')
  })

  it('can NOT hand out bytes that are not those that were scanned', async () => {
    const { body } = await uploadFile(api, await createQuote(api), pdf())
    await admin.db.owner.query(
      'update app.document_bytes set bytes = $2 where document_id = $1',
      [body.id, png],
    )
    const out = join(folder, 'damaged.pdf')
    expect(await admin.error('document', 'fetch', body.id, '--out', out)).toMatchObject({ code: 'damaged' })
  })
})

describe('document fetch from an object store', () => {
  let s3: S3
  beforeAll(async () => {
    s3 = await startS3()
  })
  afterAll(() => s3.close())

  it('needs DOCUMENT_STORE, saves the bytes, and leaves none when the tenant goes', async () => {
    const store = await openObjectStore(s3.url)
    const stored = await createApi({
      db: admin.db,
      documents: (caller) =>
        createDocuments({
          caller,
          scanners: [createYara()],
          store,
          concurrency: 1,
        }),
    })
    const quoteId = await createQuote(api)
    const { body } = await uploadFile(stored, quoteId, pdf(), {}, api.tenant.key)
    await stored.close()

    const command = ['document', 'fetch', body.id, '--out', join(folder, 'stored.pdf')]
    expect(await admin.error(...command)).toMatchObject({ code: 'configuration' })
    const env = {
      DOCUMENT_STORE: s3.url,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    }
    expect(await admin.run(command, { env })).toMatchObject({ code: 0 })
    expect(await readFile(join(folder, 'stored.pdf'))).toEqual(pdf())

    const again = await openObjectStore(s3.url)
    const keys = async () => (await Array.fromAsync(again?.list() ?? [])).flat().map(({ key }) => key)
    expect(await keys()).toEqual([`${api.tenant.id}/${body.id}`])
    expect(await admin.run(['tenant', 'delete', api.tenant.slug, '--yes'], { env })).toMatchObject({ code: 0 })
    expect(await keys()).toEqual([])
    again?.close()
  })
})
