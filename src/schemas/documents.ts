// The form of an upload, and the record of what became of it.
import * as z from 'zod'
import { optional, uuid } from './common.ts'

const documentType = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9_]{0,63}$/)
  .meta({ examples: ['letter_of_engagement'], description: 'What the document is.' })

/** The fields beside the file. */
export const documentFields = z.strictObject({
  document_type: optional(documentType).meta({ default: 'other' }),
})

export const document = z
  .strictObject({
    id: uuid,
    file_name: z.string().meta({
      description: 'The last component of the name that you sent, in at most 255 bytes.',
    }),
    created_at: z.iso.datetime(),
    byte_size: z.int().nullable(),
    content_type: z.string().nullable().meta({ description: 'The type of the file by its bytes.' }),
  })
  .meta({ id: 'Document' })
