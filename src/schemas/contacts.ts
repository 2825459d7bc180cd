// The people of an organization, inside a request for one and inside its record.
import * as z from 'zod'
import { email, externalReference, optional, phone, text, uuid } from './common.ts'

export const contactTypes = ['order_assigner', 'account_manager', 'billing', 'other'] as const

/** Those of a batch of 100 organizations then make a body of about 1 MiB. */
const maxContacts = 25

const contactInput = z
  .strictObject({
    external_reference: optional(externalReference),
    display_name: text({ max: 200 }),
    email,
    phone: optional(phone),
    contact_type: z.enum(contactTypes),
    other_label: optional(text({ max: 120 })).meta({
      description: 'What `other` stands for; required with it.',
    }),
    is_primary: z.boolean().nullable().optional().meta({
      description: 'A new primary contact takes over from the old one.',
    }),
  })
  .superRefine((contact, context) => {
    if (contact.contact_type !== 'other' || contact.other_label) return
    context.addIssue({
      code: 'custom',
      path: ['other_label'],
      message: 'required for contact_type other',
      params: { type: 'missing' },
    })
  })
  .meta({ id: 'ContactInput' })

type ContactInput = z.infer<typeof contactInput>

/** What must be one contact's alone among those of a request. */
const distinct: [keyof ContactInput, (contact: ContactInput) => string | null | undefined][] = [
  ['external_reference', (contact) => contact.external_reference],
  ['email', (contact) => foldCase(contact.email)],
  ['is_primary', (contact) => (contact.is_primary ? 'primary' : null)],
]

export const contactInputs = z
  .array(contactInput)
  .max(maxContacts)
  .superRefine((contacts, context) => {
    for (const [field, keyOf] of distinct) {
      const seen = new Set<string>()
      for (const [index, contact] of contacts.entries()) {
        const key = keyOf(contact)
        if (!key) continue
        if (seen.has(key)) {
          context.addIssue({
            code: 'custom',
            path: [index, field],
            message: 'another contact of this request has it, too',
            params: { type: 'repeated' },
          })
        }
        seen.add(key)
      }
    }
  })
  .nullable()
  .optional()
  .meta({ description: 'Created or updated; contacts that you leave out stay as they are.' })

/**
 * An e-mail without regard to case. Both ways, because neither alone takes for the same
 * all that the database's casefold does, such as ẞ, ß and ss.
 */
export const foldCase = (value: string): string => value.toLowerCase().toUpperCase()

export const contact = z
  .strictObject({
    id: uuid,
    external_reference: z.string().nullable(),
    display_name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    contact_type: z.enum(contactTypes),
    other_label: z.string().nullable(),
    is_primary: z.boolean(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Contact' })
