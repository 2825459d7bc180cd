// Requests and answers of the lead operations.
import * as z from 'zod'
import { externalReference, notes, optional, queryInteger, text, uuid } from './common.ts'
import { organizationInput } from './organizations.ts'

export const leadStages = ['lead', 'qualified', 'proposal', 'won', 'lost'] as const

const stage = z.enum(leadStages)

const title = text({ max: 200 }).meta({ examples: ['New branch in Reston'] })

const fields = {
  external_source: optional(text({ max: 120 })).meta({ description: 'Your system\'s name.' }),
  amount_cents: z
    .int()
    .min(0)
    .max(100_000_000_000)
    .nullable()
    .optional()
    .meta({ description: 'Expected engagement fee in US cents; never a property value.' }),
  notes: optional(notes),
}

const locators = ['organization_id', 'organization_external_reference', 'organization'] as const

const example = {
  external_reference: 'DEAL-77',
  external_source: 'crm',
  title: 'New branch in Reston',
  stage: 'qualified',
  amount_cents: 250_000,
  notes: 'They want a first call in May.',
  organization_external_reference: 'CRM-1001',
}

export const leadInput = z
  .strictObject({
    external_reference: optional(externalReference),
    ...fields,
    title,
    stage: optional(stage).meta({ description: 'A new lead begins as `lead`.' }),
    organization_id: optional(uuid),
    organization_external_reference: optional(externalReference),
    organization: organizationInput.nullable().optional(),
  })
  .superRefine((body, context) => {
    const given = locators.filter((name) => body[name] !== undefined && body[name] !== null)
    if (given.length === 1) return
    context.addIssue({
      code: 'custom',
      message: `exactly one of ${locators.join(', ')} is needed`,
      params: { type: given.length === 0 ? 'missing' : 'too_many_locators' },
    })
  })
  .meta({ id: 'LeadInput', examples: [example] })

export const leadBatch = z
  .strictObject({ items: z.array(leadInput).min(1).max(100) })
  .meta({
    id: 'LeadBatch',
    examples: [
      {
        items: [
          example,
          { title: 'Referral', organization: { name: 'First Bank', client_type: 'lender' } },
        ],
      },
    ],
  })

export const leadPatch = z
  .strictObject({ ...fields, title: title.optional(), stage: stage.optional() })
  .refine((body) => Object.keys(body).length > 0, {
    message: 'at least one field is needed',
    params: { type: 'missing' },
    // A body of unknown properties alone has been told so.
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ id: 'LeadPatch', examples: [{ stage: 'won' }] })

export const leadId = z.object({ id: uuid })

export const leadLookup = z.strictObject({ external_reference: externalReference })

export const leadFilter = z.strictObject({
  stage: stage.optional(),
  organization_id: uuid.optional(),
  limit: queryInteger({ min: 1, max: 100, fallback: 50 }),
  offset: queryInteger({ min: 0, max: 10_000, fallback: 0 }),
})

const nullableText = z.string().nullable()

export const lead = z
  .strictObject({
    id: uuid,
    external_reference: nullableText,
    external_source: nullableText,
    title: z.string(),
    stage,
    amount_cents: z.int().nullable(),
    notes: nullableText,
    organization_id: uuid,
    organization_external_reference: nullableText,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Lead' })

export const savedLead = lead
  .extend({ action: z.enum(['created', 'updated']) })
  .meta({ id: 'SavedLead' })

export const leads = z
  .strictObject({
    items: z.array(lead),
    limit: z.int(),
    offset: z.int(),
    has_more: z.boolean(),
  })
  .meta({ id: 'LeadList' })
