// The address of a property.
import * as z from 'zod'
import { county, optional, state, text } from './common.ts'

export const address = z
  .strictObject({
    line1: text({ max: 300 }),
    line2: optional(text({ max: 40 })),
    city: optional(text({ max: 120 })),
    state,
    county,
    postal_code: optional(text({ max: 20 })),
  })
  .meta({
    id: 'Address',
    examples: [
      {
        line1: '12 Main St',
        city: 'Pasadena',
        state: 'CA',
        county: 'Los Angeles',
        postal_code: '91101',
      },
    ],
  })
