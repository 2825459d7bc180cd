// Every operation of the public API, in the order in which the documentation shows them.
import type { Endpoint } from '../http/endpoint.ts'
import { documentEndpoints } from './documents.ts'
import { leadEndpoints } from './leads.ts'
import { orderEndpoints } from './orders.ts'
import { organizationEndpoints } from './organizations.ts'
import { pricingEndpoints } from './pricing.ts'
import { quoteEndpoints } from './quotes.ts'
import { serviceEndpoints } from './service.ts'

export const endpoints: Endpoint[] = [
  ...serviceEndpoints,
  ...pricingEndpoints,
  ...quoteEndpoints,
  ...documentEndpoints,
  ...organizationEndpoints,
  ...leadEndpoints,
  ...orderEndpoints,
]
