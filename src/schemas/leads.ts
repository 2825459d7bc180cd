// Requests and answers of the lead operations.
import * as z from 'zod'
import { batchOf } from './batch.ts'
import { externalReference, notEmpty, notes, optional, text, uuid } from './common.ts'
import { organizationInput } from './organizations.ts'
import { pageOf, pageParameters } from './page.ts'

export const leadStages = ['lead', 'qualified', 'proposal', 'won', 'lost'] as const

const stage = z.enum(leadStages)

const title = text({ max: 200 }).meta({ examples: ['New branch in Reston'] })

/** A billion dollars: far above any fee, and exact in every client's numbers. */
const maxAmountCents = 100_000_000_000

const fields = {
  external_source: optional(text({ max: 120 })).meta({ description: 'Your system\'s name.' }),
  amount_cents: optional(z.int().min(0).max(maxAmountCents)).meta({
    description: 'Expected engagement fee in US cents; never a property value.',
  }),
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
    organization_id: optional(uuid).meta({ description: 'The organization\'s id.' }),
    organization_external_reference: optional(externalReference).meta({
      description: 'Your own reference of the organization.',
    }),
    organization: organizationInput.nullable().optional().meta({
      description:
        'The organization itself, created or updated with the lead; needs the scope ' +
        '`organizations:write`.',
    }),
  })
  .check(
    z.superRefine(requireOneLocator, {
      // Beside other faults, too, so that the caller learns of all at once.
      when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
    }),
  )
  .meta({ id: 'LeadInput', examples: [example] })

// Null is as good as none.
function requireOneLocator(body: Record<string, unknown>, context: z.RefinementCtx): void {
  const given = locators.filter((name) => body[name] !== undefined && body[name] !== null)
  if (given.length === 1) return
  context.addIssue({
    code: 'custom',
    message: `exactly one of ${locators.join(', ')} is needed`,
    params: { type: given.length === 0 ? 'missing' : 'too_many_locators' },
  })
}

export const leadBatch = batchOf(leadInput).meta({
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

export const leadPatch = notEmpty(
  z.strictObject({ ...fields, title: title.optional(), stage: stage.optional() }),
).meta({ id: 'LeadPatch', examples: [{ stage: 'won' }] })

export const leadId = z.object({ id: uuid })

export const leadLookup = z.strictObject({ external_reference: externalReference })

export const leadFilter = z.strictObject({
  stage: stage.optional(),
  organization_id: uuid.optional(),
  ...pageParameters,
})

const record = {
  id: '019a4c1e-9c77-7b08-a1f4-6e3d8c2b5f19',
  ...example,
  organization_id: '019a4c1e-8a10-7e41-8d22-0c6f1b7e9d35',
  created_at: '2026-11-02T15:04:05.678Z',
  updated_at: '2026-11-02T15:04:05.678Z',
}

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
  .meta({ id: 'Lead', examples: [record] })

export const savedLead = lead
  .extend({ action: z.enum(['created', 'updated']) })
  .meta({ id: 'SavedLead', examples: [{ ...record, action: 'updated' }] })

/** The answer to a lead that is new. */
export const createdExample = { ...record, action: 'created' }

export const leads = pageOf('LeadList', lead, record)
