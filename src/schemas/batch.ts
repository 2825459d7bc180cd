// Batches: up to 100 items, and an answer with a row for each, in the order of the request.
import * as z from 'zod'
import type { ErrorCode } from '../http/error_codes.ts'
import { uuid } from './common.ts'

/** The request of a batch. */
export const batchOf = (item: z.ZodType) =>
  z.strictObject({ items: z.array(item).min(1).max(100) })

/** The answer of a batch whose rows can fail with these codes. */
export const batchResults = (id: string, errorCodes: ErrorCode[]) =>
  z.strictObject({ results: z.array(batchRow(errorCodes)) }).meta({ id, examples: [example] })

const example = {
  results: [
    {
      index: 0,
      external_reference: 'CRM-1001',
      action: 'created',
      id: '019a4c1e-8a10-7e41-8d22-0c6f1b7e9d35',
      error_code: null,
      message: null,
    },
    {
      index: 1,
      external_reference: null,
      action: 'error',
      id: null,
      error_code: 'name_conflict',
      message: 'Another organization has this name.',
    },
  ],
}

const batchRow = (errorCodes: ErrorCode[]) =>
  z.strictObject({
    index: z.int().meta({ description: 'Place of the item in the request, from 0.' }),
    external_reference: z.string().nullable().meta({ description: 'The item\'s own.' }),
    action: z.enum(['created', 'updated', 'error']),
    id: uuid.nullable().meta({ description: 'Null on error.' }),
    error_code: z.enum(errorCodes).nullable().meta({ description: 'Null on success.' }),
    message: z.string().nullable().meta({ description: 'Null on success.' }),
  })
