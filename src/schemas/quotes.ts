// Requests and answers of the quote operations.
import * as z from 'zod'
import { address } from './address.ts'
import {
  email,
  externalReference,
  notes,
  optional,
  phone,
  productCode,
  text,
  uuid,
} from './common.ts'
import { metadata } from './metadata.ts'

const personName = text({ max: 200 })

const client = z.strictObject({
  name: personName,
  email,
  phone: optional(phone),
})

const borrower = z.strictObject({
  name: optional(personName),
  email: optional(email),
  phone: optional(phone),
})

export const quoteCreate = z
  .strictObject({
    schema_version: z
      .literal(1)
      .nullable()
      .optional()
      .meta({ description: 'Version of this request: 1.' }),
    external_reference: optional(externalReference),
    product_code: productCode,
    subject: address,
    client,
    borrower: borrower.nullable().optional(),
    notes: optional(notes),
    source: optional(z.enum(['api', 'website', 'automation'])).meta({ default: 'api' }),
    metadata: metadata.nullable().optional(),
  })
  .meta({
    id: 'QuoteCreate',
    examples: [
      {
        schema_version: 1,
        external_reference: 'LOS-2026-0001',
        product_code: 'URAR',
        subject: {
          line1: '12 Main St',
          city: 'Fairfax',
          state: 'VA',
          county: 'Fairfax',
          postal_code: '22030',
        },
        client: { name: 'Jane Doe', email: 'jane@example.com', phone: '(703) 555-0123' },
        borrower: { name: 'Sam Roe', email: null, phone: null },
        notes: 'Gate code 1234. Call before you come.',
        source: 'api',
        metadata: { loan_officer: 'P. Smith' },
      },
    ],
  })

export const quoteId = z.object({
  quote_id: uuid.meta({ description: 'The id that the quote was created with.' }),
})

export const quoteLookup = z.strictObject({ external_reference: externalReference })

export const quote = z
  .strictObject({
    id: uuid,
    status: z.enum(['open', 'sent', 'accepted', 'declined', 'expired']),
    external_reference: z.string().nullable(),
    product_code: z.string().nullable(),
    fee: z.string().nullable().meta({ description: 'Engagement fee in USD, set by the office.' }),
    turnaround_days: z.int().nullable().meta({ description: 'Days, set by the office.' }),
    created_at: z.iso.datetime(),
    source: z.string(),
  })
  .meta({
    id: 'Quote',
    examples: [
      {
        id: '019a4c1e-7d2b-7c3a-9f00-5b8e2d1c4a60',
        status: 'open',
        external_reference: 'LOS-2026-0001',
        product_code: 'URAR',
        fee: null,
        turnaround_days: null,
        created_at: '2026-11-02T15:04:05.678Z',
        source: 'api',
      },
    ],
  })
