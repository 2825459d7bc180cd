// Lists that are paged by offset.
import * as z from 'zod'
import { queryInteger } from './common.ts'

export const pageParameters = {
  limit: queryInteger({ min: 1, max: 100, fallback: 50 }),
  offset: queryInteger({ min: 0, max: 10_000, fallback: 0 }),
}

/** The answer of a list. */
export const pageOf = (id: string, item: z.ZodObject, example: object) =>
  z
    .strictObject({
      items: z.array(item),
      limit: z.int(),
      offset: z.int(),
      has_more: z.boolean(),
    })
    .meta({ id, examples: [{ items: [example], limit: 50, offset: 0, has_more: false }] })
