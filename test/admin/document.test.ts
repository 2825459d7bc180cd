// The office gets at what a partner attached, whole, and nobody overwrites a file by it.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestAdmin, createAdmin } from '../setup/admin.ts'
import { type TestApi, createApi } from '../setup/api.ts'
import { createProducts } from '../setup/catalogue.ts'
import { createQuote, uploadFile } from '../setup/documents.ts'

const bytes = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

let admin: TestAdmin
let api: TestApi
let folder: string
beforeAll(async () => {
  admin = await createAdmin()
  api = await createApi({ db: admin.db })
  await createProducts(admin.db, api.tenant)
  folder = await mkdtemp(join(tmpdir(), 'appraisal-fetch-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await api.close()
  await admin.close()
})

describe('document fetch', () => {
  it('writes the bytes of a document that quote show lists', async () => {
    const quoteId = await createQuote(api)
    expect((await uploadFile(api, quoteId, bytes)).status).toBe(201)
    const { documents } = await admin.json('quote', 'show', quoteId)
    expect(documents).toEqual([
      expect.objectContaining({ file_name: 'letter.pdf', byte_size: bytes.length }),
    ])
    const out = join(folder, 'letter.pdf')
    expect(await admin.json('document', 'fetch', documents[0].id, '--out', out)).toEqual({
      id: documents[0].id,
      file_name: 'letter.pdf',
      byte_size: bytes.length,
      out,
    })
    expect(await readFile(out)).toEqual(bytes)
    expect(await admin.error('document', 'fetch', documents[0].id, '--out', out)).toMatchObject({
      code: 'file',
    })
  })

  it('says that an id is unknown', async () => {
    const unknown = '00000000-0000-0000-0000-000000000000'
    const out = join(folder, 'none.pdf')
    expect(await admin.error('document', 'fetch', unknown, '--out', out)).toMatchObject({
      code: 'not_found',
    })
  })
})
