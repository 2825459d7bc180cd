// What happens to an upload once its request is admitted: it waits for memory, is read,
// named, typed, scanned, stored and attached, in this order, and leaves nothing behind
// when a step fails. Business rules are the database's; here is only the order.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Request, Response } from 'express'
import type * as z from 'zod'
import type { Config } from '../config.ts'
import type { Caller, Reply, Statement } from '../database/pool.ts'
import { createThreadCaller } from '../database/thread_caller.ts'
import { ApiError, unavailable, validationError } from '../http/errors.ts'
import { faultsOf } from '../http/faults.ts'
import { type ReceivedFile, fileLimit, receiveForm, requireUpload } from '../http/upload.ts'
import { createClamd } from './clamd.ts'
import { cleanFileName } from './file_name.ts'
import { type ContentType, extensions, requireContentType } from './file_type.ts'
import { type ObjectStore, openObjectStore } from './object_store.ts'
import { type Engine, type Rejection, type Scanner, scanAll } from './scanner.ts'
import { createSlots } from './slots.ts'
import { createYara } from './yara.ts'

/** A request whose key, scope and quote are known to be good; its body is unread. */
export type AdmittedUpload = {
  request: Request
  response: Response
  /** Digest and scope, for auth.enter. */
  entry: unknown[]
  quoteId: string | undefined
  /** Form of the fields beside the file. */
  fields: z.ZodObject
  /** What api.check_upload answered. */
  admission: string
}

export type Documents = {
  /** Takes an upload in. Throws ApiError 413, 415, 422 and 503. */
  attach(upload: AdmittedUpload): Promise<Reply>
  /** Whether every scanner and the store answer now. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}

type Parts = {
  caller: Pick<Caller, 'call'>
  scanners: Scanner[]
  /** null: PostgreSQL keeps the bytes. */
  store: ObjectStore | null
  /** Uploads in memory at once. */
  concurrency: number
}

/** The parts that the environment asks for, on the API's own database. */
export async function openDocuments(
  config: Pick<Config, 'CLAMD_URL' | 'DOCUMENT_STORE' | 'UPLOAD_CONCURRENCY'>,
  databaseUrl: string,
  onDown: (listener: () => void) => void = () => {},
): Promise<Documents> {
  const caller = createThreadCaller(databaseUrl)
  onDown(caller.cut)
  const documents = createDocuments({
    caller,
    scanners: [createYara(), ...(config.CLAMD_URL ? [createClamd(config.CLAMD_URL)] : [])],
    store: await openObjectStore(config.DOCUMENT_STORE),
    concurrency: config.UPLOAD_CONCURRENCY,
  })
  return {
    ...documents,
    close: async () => {
      await documents.close()
      await caller.close()
    },
  }
}

export function createDocuments({ caller, scanners, store, concurrency }: Parts): Documents {
  const slots = createSlots({ count: concurrency, bytes: fileLimit })

  return {
    attach: async (upload) => {
      requireUpload(upload.request)
      const isGone = whenGone(upload.response)
      const slot = await slots.acquire(isGone)
      try {
        const file = await receive(upload, slot.buffer)
        const outcome = await scanAll(scanners, file)
        if (isGone.aborted) throw unavailable()
        if (outcome.rejection) return await reject(caller, upload, file, outcome.rejection)
        return await keep(caller, store, upload, file, outcome.verdicts)
      } finally {
        slot.release()
      }
    },
    isReady: () => {
      const answers = Promise.all([...scanners.map((scanner) => scanner.ping()), store?.ping()])
      const isReady = answers.then(() => true, () => false)
      return Promise.race([isReady, sleep(readinessMs, false, { ref: false })])
    },
    close: async () => {
      await Promise.all(scanners.map((scanner) => scanner.close()))
      store?.close()
    },
  }
}

// A caller that went away won't know that its file was attached, and sends it again.
function whenGone(response: Response): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Whoever asks for readiness waits no longer. */
const readinessMs = 2000

type CheckedFile = {
  bytes: Buffer
  name: string
  contentType: ContentType
  documentType: string
  sha256: string
}

async function receive(upload: AdmittedUpload, memory: Buffer): Promise<CheckedFile> {
  const form = await receiveForm(upload.request, upload.response, memory)
  const bytes = memory.subarray(0, form.file.size)
  const contentType = requireContentType(bytes, form.file.declaredType)
  const fields = upload.fields.safeParse(form.fields, { reportInput: true })
  if (!fields.success) throw validationError(faultsOf(fields.error, 'body'))
  return {
    bytes,
    name: nameOf(form.file, contentType),
    contentType,
    documentType: (fields.data['document_type'] as string | null | undefined) ?? 'other',
    sha256: form.file.sha256,
  }
}

const nameOf = (file: ReceivedFile, contentType: ContentType): string =>
  cleanFileName(file.name, extensions[contentType])

const recordRejection: Statement = {
  name: 'record_rejected_upload',
  text:
    'select reply.status, reply.body, reply.is_replay ' +
    'from api.record_rejected_upload(auth.enter($1, $2), $3, $4) as reply',
}

async function reject(
  caller: Parts['caller'],
  { entry, quoteId }: AdmittedUpload,
  file: CheckedFile,
  rejection: Rejection,
): Promise<never> {
  const record = {
    file_name: file.name,
    byte_size: file.bytes.length,
    sha256: file.sha256,
    ...rejection,
  }
  await caller.call(recordRejection, [...entry, quoteId, JSON.stringify(record)])
  throw new ApiError(
    'file_rejected',
    `The file was refused (${rejection.rule}), so it is not attached.`,
  )
}

const attachDocument: Statement = {
  name: 'attach_document__attach',
  text:
    'select reply.status, reply.body, reply.is_replay ' +
    'from api.attach_document(auth.enter($1, $2), $3, $4, $5) as reply',
}

// The object first, the row then: a row without bytes would promise what isn't there,
// bytes without a row are swept.
async function keep(
  caller: Parts['caller'],
  store: ObjectStore | null,
  { entry, quoteId, admission }: AdmittedUpload,
  file: CheckedFile,
  verdicts: Engine[],
): Promise<Reply> {
  const { tenant_id, document_id } = JSON.parse(admission) as Record<string, string>
  const key = `${tenant_id}/${document_id}`
  await store?.put(key, file).catch((error: unknown) => {
    throw unavailable(error)
  })
  const document = {
    id: document_id,
    file_name: file.name,
    content_type: file.contentType,
    byte_size: file.bytes.length,
    document_type: file.documentType,
    sha256: file.sha256,
    storage: store ? key : 'postgres',
    verdicts,
  }
  const bytes = store ? null : file.bytes
  return caller.call(attachDocument, [...entry, quoteId, JSON.stringify(document), bytes])
}
