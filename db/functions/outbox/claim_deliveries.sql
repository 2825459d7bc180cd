-- Takes what is due of some endpoints, up to a number for each, so that no other worker
-- sends it at the same time. A worker that dies gives its claims back through the sweep.
-- A job wakes each endpoint at its next due time.
create or replace function outbox.claim_deliveries(
  p_worker_id text,
  p_endpoint_ids uuid[],
  p_limits integer[],
  p_now timestamptz default now()
)
returns setof outbox.claim
language plpgsql
volatile
rows 50
set search_path = ''
as $$
declare
  v_claimed uuid[];
begin
  perform outbox.skip_deliveries(endpoints.id, p_now)
  from outbox.endpoints
  where endpoints.id = any(p_endpoint_ids) and endpoints.disabled_at is not null;

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
    set claimed_by = p_worker_id, claimed_at = now()
    from due
    where deliveries.id = due.id
    returning deliveries.id
  )
  select array_agg(claimed.id)
  into v_claimed
  from claimed;

  perform outbox.wake_when_due(p_endpoint_ids, p_now);
  return query select * from outbox.claimed(v_claimed, p_now);
end;
$$;

revoke all on function outbox.claim_deliveries(text, uuid[], integer[], timestamptz) from public;
grant execute on function outbox.claim_deliveries(text, uuid[], integer[], timestamptz)
to svc_worker;
comment on function outbox.claim_deliveries(text, uuid[], integer[], timestamptz) is
'Claims what endpoints have due for a worker, with all that sending it needs.';
