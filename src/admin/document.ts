// The office's way to a document: its bytes, from PostgreSQL or the object store. The
// public API never gives them out.
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { openObjectStore } from '../documents/object_store.ts'
import type { AdminContext } from './context.ts'
import { AdminError, notFound } from './errors.ts'
import { examples } from './examples.ts'
import { inOffice } from './office.ts'
import { id } from './options.ts'

type Stored = { tenant_id: string; file_name: string; byte_size: number; storage: string }

export function register(program: Command, context: AdminContext): void {
  program
    .command('document')
    .description('documents that partners attached to quotes')
    .command('fetch')
    .description('write a document to a file; `quote show` lists their ids')
    .argument('<id>', 'id of the document')
    .requiredOption('--out <file>', 'where to write it; a file that is there stays')
    .addHelpText('after', examples('document fetch 01993c4e-3f0a-7c63-9d3c-0a4d1b7be111 --out loe.pdf'))
    .action(async (given: string, { out }: { out: string }) => {
      const found = await findDocument(context, id(given))
      const bytes = await readBytes(context, given, found)
      await writeNew(out, bytes)
      const { file_name, byte_size } = found
      const value = { id: given, file_name, byte_size, out }
      context.print(value, () => `${file_name}: ${byte_size} bytes in ${out}`)
    })
}

async function findDocument(context: AdminContext, documentId: string): Promise<Stored> {
  const owner = await context.pool('owner')
  const { rows } = await owner.query<Stored>(
    'select tenant_id, file_name, byte_size, storage from app.documents where id = $1',
    [documentId],
  )
  const [found] = rows
  if (!found) throw notFound('No document has this id.')
  return found
}

async function readBytes(
  context: AdminContext,
  documentId: string,
  { tenant_id: tenantId, storage }: Stored,
): Promise<Buffer> {
  if (storage !== 'postgres') return readObject(context.config().DOCUMENT_STORE, storage)
  return inOffice(await context.pool('office'), tenantId, async (client) => {
    const { rows } = await client.query<{ bytes: Buffer }>(
      'select bytes from app.document_bytes where document_id = $1',
      [documentId],
    )
    return rows[0]?.bytes ?? Buffer.alloc(0)
  })
}

async function readObject(storeUrl: string, key: string): Promise<Buffer> {
  const store = openObjectStore(storeUrl)
  if (!store) {
    throw new AdminError('configuration', 'This document is in an object store: set DOCUMENT_STORE to it.')
  }
  try {
    return await store.get(key)
  } finally {
    store.close()
  }
}

async function writeNew(path: string, bytes: Buffer): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new AdminError('file', `${path} can't be written: ${(error as Error).message}`)
  }
}
