-- Wakes endpoints when the next of their deliveries falls due. What is due already is
-- in somebody's hands. In order of id, so that two calls never wait for each other.
create or replace function outbox.wake_when_due(
  p_endpoint_ids uuid[],
  p_now timestamptz default now()
)
returns void
language sql
volatile
set search_path = ''
as $$
  select outbox.wake_endpoint(waiting.endpoint_id, waiting.next_attempt_at)
  from (
    select
      endpoint.id as endpoint_id,
      (
        select min(deliveries.next_attempt_at)
        from outbox.deliveries
        where
          deliveries.endpoint_id = endpoint.id
          and deliveries.next_attempt_at > p_now
          and deliveries.claimed_by is null
      ) as next_attempt_at
    from unnest(p_endpoint_ids) as endpoint (id)
    order by endpoint.id
  ) as waiting
  where waiting.next_attempt_at is not null;
$$;

revoke all on function outbox.wake_when_due(uuid[], timestamptz) from public;
grant execute on function outbox.wake_when_due(uuid[], timestamptz) to svc_worker;
comment on function outbox.wake_when_due(uuid[], timestamptz) is
'Adds the jobs that look after endpoints when their next delivery is due.';
