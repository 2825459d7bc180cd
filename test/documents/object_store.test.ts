// Documents in an S3 store: over the real protocol, to a server on loopback.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type JobHelpers, Logger } from 'graphile-worker'
import { createDocuments } from '../../src/documents/attach.ts'
import { type ObjectStore, openObjectStore } from '../../src/documents/object_store.ts'
import { createYara } from '../../src/documents/yara.ts'
import { documentsSweep } from '../../worker/tasks/documents__sweep.ts'
import { createUpkeep } from '../../worker/upkeep.ts'
import { type TestApi, createApi } from '../setup/api.ts'
import { createProducts } from '../setup/catalogue.ts'
import { createTenant } from '../setup/database.ts'
import { countStored, createQuote, uploadFile } from '../setup/documents.ts'
import { eicar, pdf, pdfOfSize, png, stream } from '../setup/files.ts'
import { type S3, startS3 } from '../setup/s3.ts'

let s3: S3
let store: ObjectStore
let api: TestApi
let quoteId: string

beforeAll(async () => {
  s3 = await startS3()
  store = await open(s3.url)
  const own = await open(s3.url)
  api = await createApi({
    documents: (caller) =>
      createDocuments({ caller, scanners: [createYara()], store: own, concurrency: 2 }),
  })
  await createProducts(api.db, api.tenant)
  quoteId = await createQuote(api)
})
afterAll(async () => {
  await api.close()
  store.close()
  await s3.close()
})
beforeEach(async () => {
  for (const key of await keys()) await store.delete(key)
})

async function open(url: string): Promise<ObjectStore> {
  const opened = await openObjectStore(url)
  if (!opened) throw new Error('no store')
  return opened
}

async function keys(): Promise<string[]> {
  return (await Array.fromAsync(store.list())).flat().map(({ key }) => key)
}

const object = (bytes: Buffer) => ({ bytes, contentType: 'image/png', sha256: 'x' })

describe('the store', () => {
  it('gives back what was put, and lists and deletes it', async () => {
    await store.ping()
    await store.put('a/b', object(png))
    expect(await keys()).toEqual(['a/b'])
    expect(await store.get('a/b')).toEqual(png)
    await store.delete('a/b')
    expect(await keys()).toEqual([])
    await expect(store.get('a/b')).rejects.toHaveProperty('name', 'NoSuchKey')
  })

  it('takes the credentials of the environment', async () => {
    process.env['AWS_ACCESS_KEY_ID'] = 'STRANGER'
    const stranger = await open(s3.url)
    await expect(stranger.put('a/b', object(png))).rejects.toHaveProperty('name', 'InvalidAccessKeyId')
    process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER'
    stranger.close()
  })

  it('fails a ping when the bucket isn\'t there', async () => {
    const elsewhere = await open(s3.url.replace('documents', 'nowhere'))
    await expect(elsewhere.ping()).rejects.toHaveProperty('message')
    elsewhere.close()
  })
})

describe('an upload', () => {
  it('puts the bytes under a key that begins with the tenant, and the row names it', async () => {
    const data = pdfOfSize(3_000_000)
    const { status, body } = await uploadFile(api, quoteId, data)
    const key = `${api.tenant.id}/${body.id}`
    expect({ status, keys: await keys() }).toEqual({ status: 201, keys: [key] })
    expect((await store.get(key)).equals(data)).toBe(true)
    const { rows } = await api.db.owner.query('select storage from app.documents where id = $1', [body.id])
    expect(rows).toEqual([{ storage: key }])
    expect(await countStored(api)).toMatchObject({ contents: 0 })
  })

  it('that is refused puts nothing', async () => {
    const answer = await uploadFile(api, quoteId, pdf({ objects: [stream(eicar)] }))
    expect(answer.status).toBe(422)
    expect(await keys()).toEqual([])
  })

  it('is 503 and attaches nothing when the store is down', async () => {
    const before = await countStored(api)
    const down = await startS3()
    await down.close()
    const gone = await open(down.url)
    const cut = await createApi({
      db: api.db,
      documents: (caller) =>
        createDocuments({ caller, scanners: [createYara()], store: gone, concurrency: 1 }),
    })
    const refused = await uploadFile(cut, quoteId, pdf(), {}, api.tenant.key)
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
    expect(refused.headers.get('retry-after')).not.toBe(null)
    await cut.close()
    expect(await countStored(api)).toEqual(before)
  })
})

describe('the sweep', () => {
  const sweep = async (): Promise<void> => {
    const task = documentsSweep(createUpkeep(api.db.as('worker')), { DOCUMENT_STORE: s3.url })
    await task({}, { logger: new Logger(() => () => {}) } as unknown as JobHelpers)
  }

  it('removes an object whose row never committed, and nothing else', async () => {
    const { body } = await uploadFile(api, quoteId, pdf())
    const other = await createTenant(api.db)
    const kept = [
      `${api.tenant.id}/${body.id}`,
      // Of another deployment, or of no document at all.
      `${randomUUID()}/${randomUUID()}`,
      `backup/${randomUUID()}`,
      'readme.txt',
    ]
    const orphans = [
      `${api.tenant.id}/${randomUUID()}`,
      // Somebody else's document of the same id makes it nobody's less.
      `${other.id}/${body.id}`,
    ]
    for (const key of [...kept.slice(1), ...orphans]) await store.put(key, object(png))

    await sweep()
    expect((await keys()).sort()).toEqual([...kept, ...orphans].sort())
    await s3.age(2)
    await sweep()
    expect((await keys()).sort()).toEqual(kept.sort())
  })

  it('is all that the worker can do: it sees no document', async () => {
    for (const table of ['documents', 'document_bytes', 'rejected_uploads']) {
      await expect(api.db.as('worker').query(`select from app.${table}`)).rejects.toMatchObject({
        code: '42501',
      })
    }
  })
})

describe('DOCUMENT_STORE', () => {
  it('postgres is no object store', async () => {
    expect(await openObjectStore('postgres')).toBe(null)
  })
})
