// Requests and answers of the organization operations. What a client_type requires is
// the database's to say: it holds for what a PATCH leaves behind, too.
import * as z from 'zod'
import {
  email,
  externalReference,
  notEmpty,
  notes,
  optional,
  phone,
  state,
  text,
  uuid,
} from './common.ts'
import { batchOf } from './batch.ts'
import { contact, contactInputs } from './contacts.ts'
import { pageOf, pageParameters } from './page.ts'

export const clientTypes = ['lender', 'amc', 'private_party', 'other'] as const

const shortText = text({ max: 120 })

const name = text({ max: 200 }).meta({ examples: ['First Bank'] })

const clientType = z.enum(clientTypes).meta({
  description:
    'Every type but lender needs phone, email, website, address_line1, city, state and postal_code.',
})

const flag = (description: string) => z.boolean().nullable().optional().meta({ description })

const fields = {
  external_reference: optional(externalReference),
  external_source: optional(shortText).meta({ description: 'Your system\'s name.' }),
  name,
  client_type: clientType,
  phone: optional(phone),
  email: optional(email),
  website: optional(text({ max: 300 })),
  address_line1: optional(text({ max: 300 })),
  address_line2: optional(text({ max: 40 })),
  city: optional(shortText),
  state: optional(state),
  postal_code: optional(text({ max: 20 })),
  account_number: optional(shortText),
  amc_license_number: optional(shortText),
  notes: optional(notes),
  is_active: flag('True unless you say otherwise.'),
  paid_when_paid: flag('Pays the appraiser only once it has been paid itself.'),
  contacts: contactInputs,
}

const example = {
  external_reference: 'CRM-1001',
  external_source: 'crm',
  name: 'Summit Valuation Management',
  client_type: 'amc',
  phone: '(626) 555-0140',
  email: 'orders@summit.example',
  website: 'https://summit.example',
  address_line1: '400 Lake Ave',
  address_line2: 'Suite 12',
  city: 'Pasadena',
  state: 'CA',
  postal_code: '91101',
  account_number: 'AC-2001',
  amc_license_number: 'CA-1234',
  notes: 'Send invoices by the 5th.',
  is_active: true,
  paid_when_paid: false,
  contacts: [
    {
      external_reference: 'P-1',
      display_name: 'Ann Lee',
      email: 'ann@summit.example',
      phone: '(626) 555-0141',
      contact_type: 'order_assigner',
      is_primary: true,
    },
  ],
}

export const organizationInput = z
  .strictObject(fields)
  .meta({ id: 'OrganizationInput', examples: [example] })

export const organizationBatch = batchOf(organizationInput).meta({
  id: 'OrganizationBatch',
  examples: [{ items: [example, { name: 'First Bank', client_type: 'lender' }] }],
})

export const organizationPatch = notEmpty(
  z.strictObject({ ...fields, name: name.optional(), client_type: clientType.optional() }),
).meta({ id: 'OrganizationPatch', examples: [{ is_active: false }] })

export const organizationId = z.object({ id: uuid })

export const organizationLookup = z.strictObject({ external_reference: externalReference })

export const organizationFilter = z.strictObject({
  q: text({ max: 200 }).optional().meta({ description: 'Part of the name, in any case.' }),
  client_type: z.enum(clientTypes).optional(),
  ...pageParameters,
})

const times = { created_at: '2026-11-02T15:04:05.678Z', updated_at: '2026-11-02T15:04:05.678Z' }

const record = {
  id: '019a4c1e-8a10-7e41-8d22-0c6f1b7e9d35',
  ...example,
  contacts: example.contacts.map((one) => ({
    id: '019a4c1e-8a11-7c02-9e5b-3d1f0a7c6b28',
    ...one,
    other_label: null,
    ...times,
  })),
  ...times,
}

const nullableText = z.string().nullable()

export const organization = z
  .strictObject({
    id: uuid,
    external_reference: nullableText,
    external_source: nullableText,
    name: z.string(),
    client_type: z.enum(clientTypes),
    phone: nullableText,
    email: nullableText,
    website: nullableText,
    address_line1: nullableText,
    address_line2: nullableText,
    city: nullableText,
    state: nullableText,
    postal_code: nullableText,
    account_number: nullableText,
    amc_license_number: nullableText,
    notes: nullableText,
    is_active: z.boolean(),
    paid_when_paid: z.boolean(),
    contacts: z.array(contact),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Organization', examples: [record] })

export const savedOrganization = organization
  .extend({ action: z.enum(['created', 'updated']) })
  .meta({ id: 'SavedOrganization', examples: [{ ...record, action: 'updated' }] })

/** The answer to an organization that is new. */
export const createdExample = { ...record, action: 'created' }

export const organizations = pageOf('OrganizationList', organization, record)
