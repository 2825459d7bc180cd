// The directory: lenders, AMCs and other clients with their contacts.
import type { Endpoint } from '../http/endpoint.ts'
import type { ErrorCode } from '../http/error_codes.ts'
import { batchResults } from '../schemas/batch.ts'
import * as organizations from '../schemas/organizations.ts'

/** What can refuse an organization that is sent to be matched. */
export const organizationErrors = [
  'name_conflict',
  'ambiguous_match',
  'external_reference_conflict',
  'contact_conflict',
  'validation_error',
] as const satisfies ErrorCode[]

const tag = 'Organizations'

export const organizationEndpoints: Endpoint[] = [
  {
    operation: 'upsert_organization',
    tag,
    method: 'post',
    path: '/organizations',
    summary: 'Create or update an organization',
    description:
      'Updates the organization with the same `external_reference`, else the only one with ' +
      'the same `account_number`, else the one with exactly the same `name`; creates one when ' +
      'there is none. Fields that you leave out stay, null clears. A 409 changes nothing. ' +
      'Emits `organization.upserted`.',
    scope: 'organizations:write',
    isIdempotent: true,
    body: organizations.organizationInput,
    call: {
      function: 'api.upsert_organization',
      arguments: ({ body }) => [JSON.stringify(body)],
    },
    responses: {
      200: { description: 'Updated.', schema: organizations.savedOrganization },
      201: {
        description: 'Created.',
        schema: organizations.savedOrganization,
        example: organizations.createdExample,
      },
    },
    errors: [...organizationErrors],
  },
  {
    operation: 'upsert_organization_batch',
    tag,
    method: 'post',
    path: '/organizations/batch',
    summary: 'Create or update up to 100 organizations',
    description:
      'Row by row, in your order. A row that a rule refuses is listed with its `error_code` ' +
      'and the others are saved; a fault of form refuses the whole request. Emits ' +
      '`organization.upserted` for each row that is saved.',
    scope: 'organizations:write',
    isIdempotent: true,
    body: organizations.organizationBatch,
    call: {
      function: 'api.upsert_organization_batch',
      arguments: ({ body }) => [JSON.stringify(body)],
    },
    responses: {
      200: {
        description: 'A result for each item.',
        schema: batchResults('OrganizationBatchResults', [...organizationErrors]),
      },
    },
    errors: [],
  },
  {
    operation: 'list_organizations',
    tag,
    method: 'get',
    path: '/organizations',
    summary: 'List organizations',
    description: 'By name without regard to case, then by id.',
    scope: 'organizations:read',
    query: organizations.organizationFilter,
    call: {
      function: 'api.list_organizations',
      arguments: ({ query }) => [
        query['q'],
        query['client_type'],
        query['limit'],
        query['offset'],
      ],
    },
    responses: { 200: { description: 'A page of them.', schema: organizations.organizations } },
    errors: [],
  },
  {
    operation: 'find_organization',
    tag,
    method: 'get',
    path: '/organizations/by-reference',
    summary: 'Look up an organization',
    description: 'The organization with your reference.',
    scope: 'organizations:read',
    query: organizations.organizationLookup,
    isQuick: true,
    call: {
      function: 'api.find_organization',
      arguments: ({ query }) => [query['external_reference']],
    },
    responses: { 200: { description: 'The organization.', schema: organizations.organization } },
    errors: ['not_found'],
  },
  {
    operation: 'read_organization',
    tag,
    method: 'get',
    path: '/organizations/{id}',
    summary: 'Read an organization',
    description: 'The organization with its contacts.',
    scope: 'organizations:read',
    path_parameters: organizations.organizationId,
    isQuick: true,
    call: { function: 'api.read_organization', arguments: ({ path }) => [path['id']] },
    responses: { 200: { description: 'The organization.', schema: organizations.organization } },
    errors: ['not_found'],
  },
  {
    operation: 'update_organization',
    tag,
    method: 'patch',
    path: '/organizations/{id}',
    summary: 'Change an organization',
    description:
      'Fields that you leave out stay, null clears; contacts that you send are created or ' +
      'updated, the others stay. Emits `organization.upserted`.',
    scope: 'organizations:write',
    path_parameters: organizations.organizationId,
    body: organizations.organizationPatch,
    call: {
      function: 'api.update_organization',
      arguments: ({ path, body }) => [path['id'], JSON.stringify(body)],
    },
    responses: { 200: { description: 'Changed.', schema: organizations.savedOrganization } },
    errors: ['not_found', 'conflict', 'contact_conflict', 'validation_error'],
  },
]
