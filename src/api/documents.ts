// Files for a quote: into the office's hands, and never out through this API.
import type { Endpoint } from '../http/endpoint.ts'
import * as documents from '../schemas/documents.ts'
import { quoteId } from '../schemas/quotes.ts'

export const documentEndpoints: Endpoint[] = [
  {
    operation: 'attach_document',
    tag: 'Quotes',
    method: 'post',
    path: '/quotes/{quote_id}/documents',
    summary: 'Attach a document',
    description:
      'Attaches a PDF, PNG, JPEG or WebP file of at most 15 MiB to a quote. Its bytes decide ' +
      'what it is, not its name. Every file is scanned first: unless the answer is 201, ' +
      'nothing is attached.',
    scope: 'files:write',
    path_parameters: quoteId,
    call: { function: 'api.check_upload', arguments: ({ path }) => [path['quote_id']] },
    upload: {
      fields: documents.documentFields,
      contentTypes: ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'],
    },
    responses: { 201: { description: 'The document is attached.', schema: documents.document } },
    errors: [
      'not_found',
      'unsupported_media_type',
      'file_too_large',
      'file_rejected',
      'scanner_unavailable',
    ],
  },
]
