// What the operator does with endpoints and deliveries, as the administrator. The rules
// of a delivery's life are the database's; this adds what it can't know: secrets and
// addresses.
import type { Queryable } from '../admin/queryable.ts'
import type { EventType } from './events.ts'
import { makeSecret, sealSecret } from './secret.ts'

export type CreatedEndpoint = { id: string; url: string; secret: string; events: EventType[] }

export type ListedEndpoint = {
  id: string
  tenant: string
  url: string
  events: EventType[]
  status: 'enabled' | 'disabled'
  disabled_at: Date | null
  disabled_reason: 'operator' | 'gone' | 'failing' | null
  failing_since: Date | null
  created_at: Date
}

export type ListedDelivery = {
  id: string
  /** The event's id, as receivers see it in the header webhook-id. */
  webhook_id: string
  event: string
  record_id: string | null
  status: 'pending' | 'delivered' | 'failed' | 'skipped'
  attempts: number
  response_status: number | null
  next_attempt_at: Date | null
  created_at: Date
}

/** Registers an endpoint; its secret is shown now and never again. */
export async function createEndpoint(
  owner: Queryable,
  wanted: { tenantId: string; url: string; events: readonly EventType[]; key: Buffer },
): Promise<CreatedEndpoint> {
  const secret = makeSecret()
  const { rows: ids } = await owner.query<{ id: string }>('select uuidv7() as id')
  const id = ids[0]?.id ?? ''
  const { rows } = await owner.query<{ events: EventType[] }>(
    `insert into outbox.endpoints (id, tenant_id, url, event_types, secret)
    values ($1, $2, $3, $4, $5)
    returning event_types as events`,
    [id, wanted.tenantId, wanted.url, wanted.events, sealSecret(secret, id, wanted.key)],
  )
  return { id, url: wanted.url, secret, events: rows[0]?.events ?? [] }
}

/** Gives an endpoint a new secret. Until the overlap ends, both sign. */
export async function rotateSecret(
  owner: Queryable,
  id: string,
  overlapSeconds: number,
  key: Buffer,
): Promise<{ id: string; secret: string }> {
  const secret = makeSecret()
  await owner.query(
    `update outbox.endpoints
    set
      secret = $2,
      previous_secret = secret,
      previous_secret_expires_at = now() + $3 * interval '1 second'
    where id = $1`,
    [id, sealSecret(secret, id, key), overlapSeconds],
  )
  return { id, secret }
}

const listed = `
  endpoints.id,
  tenants.slug as tenant,
  endpoints.url,
  endpoints.event_types as events,
  case when endpoints.disabled_at is null then 'enabled' else 'disabled' end as status,
  endpoints.disabled_at,
  endpoints.disabled_reason,
  endpoints.failing_since,
  endpoints.created_at`

/** Endpoints, of all tenants or of one, or the one with this id. */
export async function listEndpoints(
  owner: Queryable,
  only: { tenantId?: string | undefined; id?: string } = {},
): Promise<ListedEndpoint[]> {
  const { rows } = await owner.query<ListedEndpoint>(
    `select ${listed}
    from outbox.endpoints
    join app.tenants on tenants.id = endpoints.tenant_id
    where
      ($1::uuid is null or endpoints.tenant_id = $1)
      and ($2::uuid is null or endpoints.id = $2)
    order by tenants.slug, endpoints.created_at, endpoints.id`,
    [only.tenantId ?? null, only.id ?? null],
  )
  return rows
}

// Names the tenant, too, with which the index of deliveries begins.
const tenantOf = (endpointId: string): string =>
  `(select endpoints.tenant_id from outbox.endpoints where endpoints.id = ${endpointId})`

/** How many deliveries of an endpoint there are of each status. */
export async function countDeliveries(
  owner: Queryable,
  id: string,
): Promise<Record<ListedDelivery['status'], number>> {
  const { rows } = await owner.query<Record<ListedDelivery['status'], number>>(
    `select
      (count(*) filter (where status = 'pending'))::integer as pending,
      (count(*) filter (where status = 'delivered'))::integer as delivered,
      (count(*) filter (where status = 'failed'))::integer as failed,
      (count(*) filter (where status = 'skipped'))::integer as skipped
    from outbox.deliveries
    where endpoint_id = $1 and tenant_id = ${tenantOf('$1')}`,
    [id],
  )
  return rows[0] as Record<ListedDelivery['status'], number>
}

/** Stops deliveries to an endpoint. */
export async function disableEndpoint(owner: Queryable, id: string): Promise<void> {
  await owner.query(`select outbox.disable_endpoint($1, 'operator')`, [id])
}

/** Lets deliveries begin again, with a clean record. It sends nothing by itself. */
export async function enableEndpoint(owner: Queryable, id: string): Promise<void> {
  await owner.query(
    `update outbox.endpoints
    set disabled_at = null, disabled_reason = null, failing_since = null
    where id = $1`,
    [id],
  )
}

/** Sends webhook.test to an endpoint; gives the delivery. */
export async function sendTest(owner: Queryable, id: string): Promise<ListedDelivery | undefined> {
  const { rows } = await owner.query<{ id: string }>('select outbox.send_test($1) as id', [id])
  const [delivery] = await listDeliveries(owner, { deliveryId: rows[0]?.id ?? null })
  return delivery
}

export type DeliveryFilter = {
  deliveryId?: string | null
  endpointId?: string | null
  statuses?: readonly ListedDelivery['status'][] | null
  since?: Date | null
  until?: Date | null
  limit?: number | null
}

const filtered = `
  from outbox.deliveries
  join outbox.events on events.id = deliveries.event_id
  where
    ($1::uuid is null or deliveries.id = $1)
    and (
      $2::uuid is null
      or deliveries.endpoint_id = $2 and deliveries.tenant_id = ${tenantOf('$2')}
    )
    and ($3::text[] is null or deliveries.status = any($3))
    and ($4::timestamptz is null or deliveries.created_at >= $4)
    and ($5::timestamptz is null or deliveries.created_at < $5)`

const values = (filter: DeliveryFilter): unknown[] => [
  filter.deliveryId ?? null,
  filter.endpointId ?? null,
  filter.statuses ?? null,
  filter.since ?? null,
  filter.until ?? null,
]

/** Deliveries, the newest first. */
export async function listDeliveries(
  owner: Queryable,
  filter: DeliveryFilter,
): Promise<ListedDelivery[]> {
  const { rows } = await owner.query<ListedDelivery>(
    `select
      deliveries.id,
      deliveries.event_id as webhook_id,
      events.type as event,
      events.data ->> 'id' as record_id,
      deliveries.status,
      deliveries.attempts,
      deliveries.response_status,
      deliveries.next_attempt_at,
      deliveries.created_at
    ${filtered}
    order by deliveries.created_at desc, deliveries.id desc
    limit $6`,
    [...values(filter), filter.limit ?? null],
  )
  return rows
}

/** Sends deliveries once more; gives how many. Those of disabled endpoints stay. */
export async function replayDeliveries(owner: Queryable, filter: DeliveryFilter): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::integer as count
    from outbox.replay_deliveries(array(select deliveries.id ${filtered}))`,
    values(filter),
  )
  return rows[0]?.count ?? 0
}

export type ListedAttempt = {
  number: number
  started_at: Date
  duration_ms: number
  response_status: number | null
  error_class: string | null
  error: string | null
  response_body: string | null
}

/** The requests that were made for a delivery. */
export async function listAttempts(owner: Queryable, deliveryId: string): Promise<ListedAttempt[]> {
  const { rows } = await owner.query<ListedAttempt>(
    `select number, started_at, duration_ms, response_status, error_class, error, response_body
    from outbox.attempts
    where delivery_id = $1
    order by number, started_at`,
    [deliveryId],
  )
  return rows
}
