// Uploads through the API, and what they left in the database.
import type { TestApi } from './api.ts'
import { freshKey } from './api.ts'
import { quoteRequest } from './catalogue.ts'
import { type Part, multipart, multipartType } from './files.ts'

/** A quote of the API's tenant, whose products are there. */
export async function createQuote(api: TestApi): Promise<string> {
  const { body } = await api.send('POST', '/quotes', { headers: freshKey(), body: quoteRequest() })
  return body.id
}

/** Posts parts as multipart/form-data. */
export const upload = (api: TestApi, quoteId: string, parts: Part[], more: object = {}) =>
  api.send('POST', `/quotes/${quoteId}/documents`, {
    headers: multipartType,
    raw: multipart(parts),
    ...more,
  })

/** Posts one file, with a name and a type that fit. */
export const uploadFile = (
  api: TestApi,
  quoteId: string,
  data: Buffer,
  part: Partial<Part> = {},
  key = api.tenant.key,
) =>
  upload(api, quoteId, [{ fileName: '"letter.pdf"', type: 'application/pdf', data, ...part }], { key })

/** How many documents, contents and refusals there are. */
export async function countStored(api: TestApi) {
  const { rows } = await api.db.owner.query<Record<string, number>>(`
    select
      (select count(*)::integer from app.documents) as documents,
      (select count(*)::integer from app.document_bytes) as contents,
      (select count(*)::integer from app.rejected_uploads) as refusals`)
  return rows[0]
}
