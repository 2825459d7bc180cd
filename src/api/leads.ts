// CRM leads, each about one organization of the directory.
import type { ErrorCode } from '../http/error_codes.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { batchResults } from '../schemas/batch.ts'
import * as leads from '../schemas/leads.ts'
import { organizationErrors } from './organizations.ts'

/** What can refuse a lead: an unknown organization, or a nested one's own error. */
const leadErrors = [
  'not_found',
  'insufficient_scope',
  ...organizationErrors,
] as const satisfies ErrorCode[]

const tag = 'Leads'

export const leadEndpoints: Endpoint[] = [
  {
    operation: 'upsert_lead',
    tag,
    method: 'post',
    path: '/leads',
    summary: 'Create or update a lead',
    description:
      'Updates the lead with the same `external_reference`; creates one when there is none, or ' +
      'no reference is sent. Name its organization by exactly one of `organization_id`, ' +
      '`organization_external_reference` and a nested `organization`, which is created or ' +
      'updated first and needs the scope `organizations:write`, too. Another organization ' +
      'moves the lead. Emits `lead.upserted`, and `organization.upserted` for a nested one.',
    scope: 'leads:write',
    isIdempotent: true,
    body: leads.leadInput,
    call: { function: 'api.upsert_lead', arguments: ({ body }) => [JSON.stringify(body)] },
    responses: {
      200: { description: 'Updated.', schema: leads.savedLead },
      201: {
        description: 'Created.',
        schema: leads.savedLead,
        example: leads.createdExample,
      },
    },
    errors: [...leadErrors],
  },
  {
    operation: 'upsert_lead_batch',
    tag,
    method: 'post',
    path: '/leads/batch',
    summary: 'Create or update up to 100 leads',
    description:
      'Row by row, in your order. A row that a rule refuses is listed with its `error_code`, ' +
      'leaves nothing of its nested organization either, and the others are saved; a fault of ' +
      'form refuses the whole request. Emits `lead.upserted` for each row that is saved.',
    scope: 'leads:write',
    isIdempotent: true,
    body: leads.leadBatch,
    call: { function: 'api.upsert_lead_batch', arguments: ({ body }) => [JSON.stringify(body)] },
    responses: {
      200: {
        description: 'A result for each item.',
        schema: batchResults('LeadBatchResults', [...leadErrors]),
      },
    },
    errors: [],
  },
  {
    operation: 'list_leads',
    tag,
    method: 'get',
    path: '/leads',
    summary: 'List leads',
    description: 'Newest first.',
    scope: 'leads:read',
    query: leads.leadFilter,
    call: {
      function: 'api.list_leads',
      arguments: ({ query }) => [
        query['stage'],
        query['organization_id'],
        query['limit'],
        query['offset'],
      ],
    },
    responses: { 200: { description: 'A page of them.', schema: leads.leads } },
    errors: [],
  },
  {
    operation: 'find_lead',
    tag,
    method: 'get',
    path: '/leads/by-reference',
    summary: 'Look up a lead',
    description: 'The lead with your reference.',
    scope: 'leads:read',
    query: leads.leadLookup,
    isQuick: true,
    call: { function: 'api.find_lead', arguments: ({ query }) => [query['external_reference']] },
    responses: { 200: { description: 'The lead.', schema: leads.lead } },
    errors: ['not_found'],
  },
  {
    operation: 'read_lead',
    tag,
    method: 'get',
    path: '/leads/{id}',
    summary: 'Read a lead',
    description: 'The lead and the organization that it is about.',
    scope: 'leads:read',
    path_parameters: leads.leadId,
    isQuick: true,
    call: { function: 'api.read_lead', arguments: ({ path }) => [path['id']] },
    responses: { 200: { description: 'The lead.', schema: leads.lead } },
    errors: ['not_found'],
  },
  {
    operation: 'update_lead',
    tag,
    method: 'patch',
    path: '/leads/{id}',
    summary: 'Change a lead',
    description:
      'Fields that you leave out stay, null clears. The lead stays with its organization. ' +
      'Emits `lead.upserted`.',
    scope: 'leads:write',
    path_parameters: leads.leadId,
    body: leads.leadPatch,
    call: {
      function: 'api.update_lead',
      arguments: ({ path, body }) => [path['id'], JSON.stringify(body)],
    },
    responses: { 200: { description: 'Changed.', schema: leads.savedLead } },
    errors: ['not_found'],
  },
]
