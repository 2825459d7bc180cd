// Bodies of webhooks: ids and the action, never a record. Receivers fetch the rest.
import * as z from 'zod'
import type { EventType } from '../webhooks/events.ts'
import { uuid } from './common.ts'

const reference = z.string().nullable().meta({ description: 'Your own reference, if any.' })
const upsert = z.enum(['created', 'updated'])

const event = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.strictObject({
    type: z.literal(type),
    timestamp: z.iso.datetime().meta({ description: 'When the change was made.' }),
    data,
  })

const quoteCreated = event(
  'quote.created',
  z.strictObject({ id: uuid, external_reference: reference, action: z.literal('created') }),
).meta({
  id: 'QuoteCreatedEvent',
  examples: [
    {
      type: 'quote.created',
      timestamp: '2026-11-02T15:04:05.678Z',
      data: {
        id: '019a4c1e-7d2b-7c3a-9f00-5b8e2d1c4a60',
        external_reference: 'LOS-2026-0001',
        action: 'created',
      },
    },
  ],
})

const organizationUpserted = event(
  'organization.upserted',
  z.strictObject({
    id: uuid,
    external_reference: reference,
    client_type: z.enum(['lender', 'amc', 'private_party', 'other']),
    action: upsert,
  }),
).meta({
  id: 'OrganizationUpsertedEvent',
  examples: [
    {
      type: 'organization.upserted',
      timestamp: '2026-11-02T15:04:05.678Z',
      data: {
        id: '019a4c1e-8a10-7e41-8d22-0c6f1b7e9d35',
        external_reference: 'CRM-1001',
        client_type: 'lender',
        action: 'updated',
      },
    },
  ],
})

const leadUpserted = event(
  'lead.upserted',
  z.strictObject({
    id: uuid,
    external_reference: reference,
    organization_id: uuid,
    action: upsert,
  }),
).meta({
  id: 'LeadUpsertedEvent',
  examples: [
    {
      type: 'lead.upserted',
      timestamp: '2026-11-02T15:04:05.678Z',
      data: {
        id: '019a4c1e-9c77-7b08-a1f4-6e3d8c2b5f19',
        external_reference: null,
        organization_id: '019a4c1e-8a10-7e41-8d22-0c6f1b7e9d35',
        action: 'created',
      },
    },
  ],
})

/** Event type -> what it tells of, and the body of its webhook. */
export const webhooks = {
  'quote.created': {
    summary: 'A quote request was created',
    description: 'After `POST /quotes` has put a request into the queue.',
    schema: quoteCreated,
  },
  'organization.upserted': {
    summary: 'An organization was created or updated',
    description:
      'After each organization that `POST /organizations`, a row of `POST /organizations/batch`, ' +
      '`PATCH /organizations/{id}` or a lead with a nested organization has saved, also when ' +
      'nothing in it changed.',
    schema: organizationUpserted,
  },
  'lead.upserted': {
    summary: 'A lead was created or updated',
    description:
      'After each lead that `POST /leads`, a row of `POST /leads/batch` or `PATCH /leads/{id}` ' +
      'has saved, also when nothing in it changed.',
    schema: leadUpserted,
  },
} as const satisfies Record<EventType, { summary: string; description: string; schema: z.ZodType }>
