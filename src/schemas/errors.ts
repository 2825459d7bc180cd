// The envelope of every answer that isn't 2xx.
import * as z from 'zod'

export const fault = z
  .strictObject({
    loc: z
      .array(z.union([z.string(), z.int()]))
      .min(1)
      .meta({ description: 'Where: body, query, path or header, then names and indexes.' }),
    msg: z.string().meta({ description: 'What is wrong, in words that may change.' }),
    type: z.string().meta({ description: 'The kind of fault, for programs.' }),
  })
  .meta({
    id: 'Fault',
    examples: [{ loc: ['body', 'subject', 'state'], msg: 'required', type: 'missing' }],
  })

/** The envelope for some codes; `detail` comes with validation_error and no other. */
export function envelope(codes: readonly string[]) {
  const isFaulty = codes.includes('validation_error')
  const detail = z.array(fault).min(1)
  return z.strictObject({
    code: z.enum(codes),
    message: z.string().meta({ description: 'For people. It may change; the code does not.' }),
    request_id: z.string().meta({ description: 'The X-Request-Id of this answer.' }),
    ...(isFaulty ? { detail: codes.length === 1 ? detail : detail.optional() } : {}),
  })
}
