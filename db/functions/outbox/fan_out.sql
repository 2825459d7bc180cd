-- Turns the events of some transactions into deliveries: one for each endpoint that
-- wanted them when they happened. Called again it adds nothing, so a job that runs
-- twice does no harm. Many batches in one call commit once.
create or replace function outbox.fan_out(
  p_batch_ids uuid[],
  p_now timestamptz default now()
)
returns setof uuid
language sql
volatile
set search_path = ''
as $$
  with added as (
    insert into outbox.deliveries (
      tenant_id,
      event_id,
      endpoint_id,
      status,
      next_attempt_at,
      created_at,
      completed_at
    )
    select
      events.tenant_id,
      events.id,
      endpoints.id,
      case when endpoints.disabled_at is null then 'pending' else 'skipped' end,
      case when endpoints.disabled_at is null then p_now end,
      p_now,
      case when endpoints.disabled_at is null then null else p_now end
    from outbox.events
    join outbox.endpoints
      on endpoints.tenant_id = events.tenant_id
      and events.type = any(endpoints.event_types)
      and endpoints.created_at <= events.created_at
    where events.batch_id = any(p_batch_ids)
    on conflict (event_id, endpoint_id) do nothing
    returning endpoint_id, status
  )
  select distinct added.endpoint_id
  from added
  where added.status = 'pending';
$$;

revoke all on function outbox.fan_out(uuid[], timestamptz) from public;
grant execute on function outbox.fan_out(uuid[], timestamptz) to svc_worker;
comment on function outbox.fan_out(uuid[], timestamptz) is
'Adds the deliveries of some batches of events; gives the endpoints that now have something due.';
