// Quote requests: into the office's queue, and what became of them.
import type { Endpoint } from '../http/endpoint.ts'
import * as quotes from '../schemas/quotes.ts'

export const quoteEndpoints: Endpoint[] = [
  {
    operation: 'create_quote',
    tag: 'Quotes',
    method: 'post',
    path: '/quotes',
    summary: 'Request a quote',
    description:
      'Puts a quote request into the office\'s queue. The office completes and sends it; ' +
      'nothing is sent to the client by this call. Emits `quote.created`.',
    scope: 'quotes:write',
    isIdempotent: true,
    body: quotes.quoteCreate,
    call: { function: 'api.create_quote', arguments: ({ body }) => [JSON.stringify(body)] },
    responses: { 201: { description: 'The quote is in the queue.', schema: quotes.quote } },
    errors: ['not_found', 'product_inactive'],
  },
  {
    operation: 'find_quote',
    tag: 'Quotes',
    method: 'get',
    path: '/quotes',
    summary: 'Look up a quote',
    description: 'The newest quote with your reference.',
    scope: 'quotes:read',
    query: quotes.quoteLookup,
    isQuick: true,
    call: {
      function: 'api.find_quote',
      arguments: ({ query }) => [query['external_reference']],
    },
    responses: { 200: { description: 'The newest such quote.', schema: quotes.quote } },
    errors: ['not_found'],
  },
  {
    operation: 'read_quote',
    tag: 'Quotes',
    method: 'get',
    path: '/quotes/{quote_id}',
    summary: 'Read a quote',
    description: 'Status, and fee and turnaround once the office has set them.',
    scope: 'quotes:read',
    path_parameters: quotes.quoteId,
    isQuick: true,
    call: { function: 'api.read_quote', arguments: ({ path }) => [path['quote_id']] },
    responses: { 200: { description: 'The quote.', schema: quotes.quote } },
    errors: ['not_found'],
  },
]
