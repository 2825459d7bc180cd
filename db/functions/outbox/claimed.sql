-- Deliveries with all that sending them needs.
create or replace function outbox.claimed(p_delivery_ids uuid[], p_now timestamptz default now())
returns setof outbox.claim
language sql
stable
rows 50
set search_path = ''
as $$
  select
    deliveries.id,
    deliveries.endpoint_id,
    deliveries.attempts - deliveries.replays,
    deliveries.is_replay,
    events.id,
    events.type,
    to_char(events.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    events.data::text,
    endpoints.url,
    endpoints.secret,
    case
      when endpoints.previous_secret_expires_at > p_now then endpoints.previous_secret
    end,
    events.tenant_id,
    events.traceparent
  from outbox.deliveries
  join outbox.events on events.id = deliveries.event_id
  join outbox.endpoints on endpoints.id = deliveries.endpoint_id
  where deliveries.id = any(p_delivery_ids);
$$;

revoke all on function outbox.claimed(uuid[], timestamptz) from public;
grant execute on function outbox.claimed(uuid[], timestamptz) to svc_worker;
comment on function outbox.claimed(uuid[], timestamptz) is
'What a worker needs to send the deliveries that it has claimed.';
