-- Takes what is due of some endpoints, up to a number for each, so that no other worker
-- sends it at the same time. A worker that dies gives its claims back through the sweep.
-- Where less is due than was asked for, a job wakes the endpoint at its next due time.
create or replace function outbox.claim_deliveries(
  p_worker_id text,
  p_endpoint_ids uuid[],
  p_limits integer[],
  p_now timestamptz default now()
)
returns table (
  id uuid,
  endpoint_id uuid,
  attempts integer,
  is_replay boolean,
  event_id uuid,
  event_type text,
  event_time timestamptz,
  event_data text,
  url text,
  secret bytea,
  previous_secret bytea
)
language plpgsql
volatile
rows 50
set search_path = ''
as $$
#variable_conflict use_column
begin
  perform outbox.skip_deliveries(endpoints.id, p_now)
  from outbox.endpoints
  where endpoints.id = any(p_endpoint_ids) and endpoints.disabled_at is not null;

  return query
  with due as (
    select picked.id
    from unnest(p_endpoint_ids, p_limits) as wanted (endpoint_id, room)
    cross join lateral (
      select deliveries.id
      from outbox.deliveries
      where
        deliveries.endpoint_id = wanted.endpoint_id
        and deliveries.next_attempt_at <= p_now
        and deliveries.claimed_by is null
      order by deliveries.next_attempt_at
      limit wanted.room
      for update skip locked
    ) as picked
  ),
  claimed as (
    update outbox.deliveries
    set claimed_by = p_worker_id
    from due
    where deliveries.id = due.id
    returning
      deliveries.id,
      deliveries.endpoint_id,
      deliveries.attempts - deliveries.replays as attempts,
      deliveries.is_replay,
      deliveries.event_id
  )
  select
    claimed.id,
    claimed.endpoint_id,
    claimed.attempts,
    claimed.is_replay,
    claimed.event_id,
    events.type,
    events.created_at,
    events.data::text,
    endpoints.url,
    endpoints.secret,
    case
      when endpoints.previous_secret_expires_at > p_now then endpoints.previous_secret
    end
  from claimed
  join outbox.events on events.id = claimed.event_id
  join outbox.endpoints on endpoints.id = claimed.endpoint_id;

  perform outbox.wake_when_due(p_endpoint_ids, p_now);
end;
$$;

revoke all on function outbox.claim_deliveries(text, uuid[], integer[], timestamptz) from public;
grant execute on function outbox.claim_deliveries(text, uuid[], integer[], timestamptz)
to svc_worker;
comment on function outbox.claim_deliveries(text, uuid[], integer[], timestamptz) is
'Claims what endpoints have due for a worker, with all that sending it needs.';
