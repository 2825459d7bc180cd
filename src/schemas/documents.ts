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
  .meta({
    id: 'Document',
    examples: [
      {
        id: '019a4c1e-b2d8-7f10-8c44-2a9e6d5f0b73',
        file_name: 'engagement.pdf',
        created_at: '2026-11-02T15:04:05.678Z',
        byte_size: 48_213,
        content_type: 'application/pdf',
      },
    ],
  })
