// Documents of quotes, on their way out to the office. `quote show` lists them.
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { openObjectStore } from '../documents/object_store.ts'
import type { AdminContext } from './context.ts'
import { AdminError, notFound } from './errors.ts'
import { examples } from './examples.ts'
import { inOffice } from './office.ts'
import { id } from './options.ts'
import { findTenant } from './tenant.ts'

const exampleId = '01993c4e-3f0a-7c63-9d3c-0a4d1b7be111'

type FetchOptions = { out?: string; tenant?: string }

export function register(program: Command, context: AdminContext): void {
  const group = program.command('document').description('files that partners attached to quotes')

  group
    .command('fetch')
    .description('saves a document as a file that only you can read')
    .argument('<id>', 'id of the document, as `quote show` lists it')
    .option('--out <file>', 'where to, in place of its own name here; a file that is there stays')
    .option('--tenant <tenant>', 'only if it is of this tenant')
    .addHelpText('after', examples(`document fetch ${exampleId} --out letter.pdf`))
    .action(async (given: string, options: FetchOptions) => {
      const document = await readDocument(context, id(given), options)
      const bytes = await readBytes(context, document)
      const out = await save(bytes, options.out ?? document.file_name)
      const { storage: _place, content: _bytes, ...record } = document
      context.print({ ...record, out }, () => `${record.file_name}: ${bytes.length} bytes in ${out}`)
    })
}

type Document = {
  id: string
  quote_id: string
  file_name: string
  document_type: string
  content_type: string
  byte_size: number
  sha256: string
  created_at: Date
  storage: string
  /** null when an object store holds it. */
  content: Buffer | null
}

async function readDocument(
  context: AdminContext,
  documentId: string,
  options: FetchOptions,
): Promise<Document> {
  const tenantId = await tenantOf(context, documentId, options)
  const office = await context.pool('office')
  const { rows } = await inOffice(office, tenantId, (client) =>
    client.query<Document>(
      `select
        documents.id,
        documents.quote_id,
        documents.file_name,
        documents.document_type,
        documents.content_type,
        documents.byte_size,
        encode(documents.sha256, 'hex') as sha256,
        documents.created_at,
        documents.storage,
        document_bytes.bytes as content
      from app.documents
      left join app.document_bytes
        on document_bytes.tenant_id = documents.tenant_id
        and document_bytes.document_id = documents.id
      where documents.tenant_id = office.tenant_id() and documents.id = $1`,
      [documentId],
    ),
  )
  const [document] = rows
  if (!document) throw unknownDocument()
  return document
}

const unknownDocument = () => notFound('No document has this id.')

// Ids are unique within a tenant, and indexed so: hence a look into each tenant.
async function tenantOf(
  context: AdminContext,
  documentId: string,
  options: FetchOptions,
): Promise<string> {
  const tenant = options.tenant ? await findTenant(context, options.tenant) : null
  const owner = await context.pool('owner')
  const { rows } = await owner.query<{ id: string }>(
    `select tenants.id
    from app.tenants
    cross join lateral (
      select
      from app.documents
      where documents.tenant_id = tenants.id and documents.id = $1
      limit 1
    ) as found
    where $2::uuid is null or tenants.id = $2`,
    [documentId, tenant?.id ?? null],
  )
  const [row] = rows
  if (!row) throw unknownDocument()
  return row.id
}

async function readBytes(context: AdminContext, document: Document): Promise<Buffer> {
  const bytes = document.content ?? (await readObject(context, document.storage))
  if (createHash('sha256').update(bytes).digest('hex') !== document.sha256) {
    throw new AdminError('damaged', 'The stored bytes are not those that were scanned.')
  }
  return bytes
}

async function readObject(context: AdminContext, key: string): Promise<Buffer> {
  const store = await openObjectStore(context.config().DOCUMENT_STORE)
  if (!store) {
    throw new AdminError('configuration', 'The document is in an object store: set DOCUMENT_STORE.')
  }
  try {
    return await store.get(key)
  } finally {
    store.close()
  }
}

async function save(bytes: Buffer, out: string): Promise<string> {
  try {
    await writeFile(out, bytes, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new AdminError('file', `${out} can't be written: ${(error as Error).message}`)
  }
  return out
}
