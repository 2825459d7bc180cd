-- What a disabled endpoint had coming: recorded as skipped, replays dropped. A request
-- that is being made right now still gets its attempt recorded.
create or replace function outbox.skip_deliveries(
  p_endpoint_id uuid,
  p_now timestamptz default now()
)
returns void
language sql
volatile
set search_path = ''
as $$
  update outbox.deliveries
  set
    status = case when deliveries.status = 'pending' then 'skipped' else deliveries.status end,
    completed_at = coalesce(deliveries.completed_at, p_now),
    next_attempt_at = null,
    is_replay = false
  where
    deliveries.endpoint_id = p_endpoint_id
    and deliveries.next_attempt_at is not null;
$$;

revoke all on function outbox.skip_deliveries(uuid, timestamptz) from public;
grant execute on function outbox.skip_deliveries(uuid, timestamptz) to svc_worker;
comment on function outbox.skip_deliveries(uuid, timestamptz) is
'Records everything that an endpoint has coming as skipped.';
