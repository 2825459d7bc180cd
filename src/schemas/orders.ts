// Requests and answers of the order operations, which only read.
import * as z from 'zod'
import { queryInteger, text, uuid } from './common.ts'

const number = text({ max: 120 }).optional()

export const orderId = z.object({ id: uuid.meta({ description: 'The order\'s id.' }) })

// That one of the three is needed is a rule with a code of its own, in api.list_orders.
export const orderFilter = z.strictObject({
  order_number: number.meta({ description: 'The order\'s number, exactly.' }),
  loan_number: number.meta({ description: 'The lender\'s loan number, exactly.' }),
  client_tracking_number: number.meta({ description: 'The client\'s own number, exactly.' }),
  limit: queryInteger({ min: 1, max: 50, fallback: 20 }),
})

const example = {
  id: '019a4c1e-c3f4-7a15-8e60-9d0b7c6a5f42',
  order_number: 'A-2026-0815',
  status: 'scheduling',
  channel: 'portal',
  due_date: '2026-11-16',
  fee: '450.00',
  loan_number: 'LN-4711',
  client_tracking_number: null,
  property_address: '12 Main St',
  property_city: 'Pasadena',
  property_state: 'CA',
  property_postal: '91101',
  property_county: 'Los Angeles',
  engaging_client_id: '019a4c1e-8a10-7e41-8d22-0c6f1b7e9d35',
  lender_id: null,
  updated_at: '2026-11-02T15:04:05.678Z',
}

export const order = z
  .strictObject({
    id: uuid,
    order_number: z.string(),
    status: z.string().meta({ description: 'For example scheduling, on_hold, delivered.' }),
    channel: z.string(),
    due_date: z.iso.date().nullable(),
    fee: z.string().nullable().meta({ description: 'Engagement fee in USD, two decimals.' }),
    loan_number: z.string().nullable(),
    client_tracking_number: z.string().nullable(),
    property_address: z.string(),
    property_city: z.string().nullable(),
    property_state: z.string().nullable(),
    property_postal: z.string().nullable(),
    property_county: z.string().nullable(),
    engaging_client_id: uuid.meta({ description: 'The organization that ordered.' }),
    lender_id: uuid.nullable().meta({ description: 'The organization that lends.' }),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Order', examples: [example] })

export const orders = z
  .strictObject({ items: z.array(order), limit: z.int(), has_more: z.boolean() })
  .meta({ id: 'OrderList', examples: [{ items: [example], limit: 20, has_more: false }] })
