// Requests and answers of products, coverage and fee preview.
import * as z from 'zod'
import { address } from './address.ts'
import { county, optional, productCode, state } from './common.ts'

export const product = z
  .strictObject({ code: z.string(), name: z.string(), is_active: z.boolean() })
  .meta({ id: 'Product' })

export const products = z
  .array(product)
  .meta({ examples: [[{ code: 'URAR', name: 'Single family', is_active: true }]] })

export const coverageCheck = z
  .strictObject({ state, county, product_code: optional(productCode) })
  .meta({
    id: 'CoverageCheck',
    examples: [{ state: 'VA', county: 'Fairfax', product_code: 'URAR' }],
  })

export const coverageResult = z
  .strictObject({
    covered: z.boolean(),
    state: z.string(),
    county: z.string(),
    product_code: z.string().nullable(),
  })
  .meta({
    id: 'CoverageResult',
    examples: [{ covered: true, state: 'VA', county: 'Fairfax', product_code: 'URAR' }],
  })

export const feePreview = z
  .strictObject({ product_code: productCode, subject: address })
  .meta({
    id: 'FeePreview',
    examples: [
      {
        product_code: 'URAR',
        subject: { line1: '12 Main St', city: 'Fairfax', state: 'VA', county: 'Fairfax' },
      },
    ],
  })

export const feePreviewResult = z
  .strictObject({
    product_code: z.string(),
    fee: z.string().nullable().meta({ description: 'Engagement fee in USD, two decimals.' }),
    currency: z.literal('USD'),
    turnaround_days: z.int().nullable(),
    covered: z.boolean(),
    fee_basis: z.enum(['default_appraiser', 'lowest_covering']),
    notes: z.string().nullable(),
  })
  .meta({
    id: 'FeePreviewResult',
    examples: [
      {
        product_code: 'URAR',
        fee: '450.00',
        currency: 'USD',
        turnaround_days: 5,
        covered: true,
        fee_basis: 'lowest_covering',
        notes: null,
      },
    ],
  })
