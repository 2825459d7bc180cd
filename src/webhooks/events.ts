// The events that an endpoint can ask for.
export const eventTypes = ['quote.created', 'organization.upserted', 'lead.upserted'] as const
export type EventType = (typeof eventTypes)[number]

/** Sent by `webhook test` to one endpoint; nobody subscribes to it. */
export const testEventType = 'webhook.test'
