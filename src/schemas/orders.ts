// Requests and answers of the order operations, which only read.
import * as z from 'zod'
import { queryInteger, text, uuid } from './common.ts'

const number = text({ max: 120 }).optional()

export const orderId = z.object({ id: uuid })

// That one of the three is needed is a rule with a code of its own, in api.list_orders.
export const orderFilter = z.strictObject({
  order_number: number.meta({ description: 'The order\'s number, exactly.' }),
  loan_number: number.meta({ description: 'The lender\'s loan number, exactly.' }),
  client_tracking_number: number.meta({ description: 'The client\'s own number, exactly.' }),
  limit: queryInteger({ min: 1, max: 50, fallback: 20 }),
})

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
  .meta({ id: 'Order' })

export const orders = z
  .strictObject({ items: z.array(order), limit: z.int(), has_more: z.boolean() })
  .meta({ id: 'OrderList' })
