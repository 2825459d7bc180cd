// Milestones of orders, for status pages. Partners read them; the office writes them.
import type { Endpoint } from '../http/endpoint.ts'
import * as orders from '../schemas/orders.ts'

export const orderEndpoints: Endpoint[] = [
  {
    operation: 'list_orders',
    tag: 'Orders',
    method: 'get',
    path: '/orders',
    summary: 'Look up orders',
    description:
      'Orders with all the numbers that you give, the latest change first. At least one ' +
      'number is needed.',
    scope: 'orders:read',
    query: orders.orderFilter,
    call: {
      function: 'api.list_orders',
      arguments: ({ query }) => [
        query['order_number'],
        query['loan_number'],
        query['client_tracking_number'],
        query['limit'],
      ],
    },
    responses: { 200: { description: 'The orders, perhaps none.', schema: orders.orders } },
    errors: ['missing_filter'],
  },
  {
    operation: 'read_order',
    tag: 'Orders',
    method: 'get',
    path: '/orders/{id}',
    summary: 'Read an order',
    description: 'Where an order stands. Internal notes, instructions and values never show.',
    scope: 'orders:read',
    path_parameters: orders.orderId,
    isQuick: true,
    call: { function: 'api.read_order', arguments: ({ path }) => [path['id']] },
    responses: { 200: { description: 'The order.', schema: orders.order } },
    errors: ['not_found'],
  },
]
