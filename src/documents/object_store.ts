// Where documents are when PostgreSQL doesn't keep them.
import { parseStoreUrl } from './store_url.ts'

export type StoredObject = { key: string; modifiedAt: Date }

export type ObjectStore = {
  /** Returns once the store has the bytes for good. */
  put(key: string, object: { bytes: Buffer; contentType: string; sha256: string }): Promise<void>
  get(key: string): Promise<Buffer>
  delete(key: string): Promise<void>
  /** All objects whose keys begin so, a page at a time. */
  list(prefix?: string): AsyncIterable<StoredObject[]>
  /** Throws when the bucket can't be reached. */
  ping(): Promise<void>
  close(): void
}

/** The store that DOCUMENT_STORE names; null when PostgreSQL keeps the bytes. */
export async function openObjectStore(url: string): Promise<ObjectStore | null> {
  const address = parseStoreUrl(url)
  if (!address) return null
  // The client weighs 30 MB in memory, which most deployments have no use for.
  const { createS3Store } = await import('./s3_store.ts')
  return createS3Store(address)
}
