// Products, coverage and fee preview: what is offered, where, for how much.
import type { Endpoint } from '../http/endpoint.ts'
import * as pricing from '../schemas/pricing.ts'

export const pricingEndpoints: Endpoint[] = [
  {
    operation: 'list_products',
    tag: 'Products and fees',
    method: 'get',
    path: '/products',
    summary: 'List products',
    description: 'The products that the company offers now, by name.',
    scope: 'products:read',
    isQuick: true,
    call: { function: 'api.list_products', arguments: () => [] },
    responses: { 200: { description: 'Active products.', schema: pricing.products } },
    errors: [],
  },
  {
    operation: 'check_coverage',
    tag: 'Products and fees',
    method: 'post',
    path: '/coverage/check',
    summary: 'Check coverage',
    description:
      'Whether an appraiser covers a county, for one product or for any. An area that ' +
      'nobody covers is an answer, not an error.',
    scope: 'fees:read',
    body: pricing.coverageCheck,
    isQuick: true,
    call: { function: 'api.check_coverage', arguments: ({ body }) => [JSON.stringify(body)] },
    responses: { 200: { description: 'Covered or not.', schema: pricing.coverageResult } },
    errors: ['not_found'],
  },
  {
    operation: 'preview_fee',
    tag: 'Products and fees',
    method: 'post',
    path: '/fees/preview',
    summary: 'Preview a fee',
    description:
      'Engagement fee and turnaround for a product at a property. Both are null where the ' +
      'area is covered and no fee is on record: the office then confirms the fee.',
    scope: 'fees:read',
    body: pricing.feePreview,
    isQuick: true,
    call: { function: 'api.preview_fee', arguments: ({ body }) => [JSON.stringify(body)] },
    responses: { 200: { description: 'Fee and turnaround.', schema: pricing.feePreviewResult } },
    errors: ['not_found', 'product_inactive', 'coverage_unavailable'],
  },
]
