-- Batches of the last days with an event that an endpoint wants and has no delivery of:
-- their job was lost. None is, as long as nobody touches the jobs by hand; this is the
-- net under it. An event of the last minutes may have its job still before it.
create or replace function outbox.missed_batches(p_days integer, p_limit integer)
returns setof uuid
language sql
volatile
set search_path = ''
as $$
  select distinct events.batch_id
  from outbox.events
  join outbox.endpoints
    on endpoints.tenant_id = events.tenant_id
    and events.type = any(endpoints.event_types)
    and endpoints.created_at <= events.created_at
  where
    events.id > uuidv7(make_interval(days => -p_days))
    and events.created_at < now() - interval '5 minutes'
    and not exists (
      select
      from outbox.deliveries
      where deliveries.event_id = events.id and deliveries.endpoint_id = endpoints.id
    )
  limit p_limit;
$$;

revoke all on function outbox.missed_batches(integer, integer) from public;
grant execute on function outbox.missed_batches(integer, integer) to svc_worker;
comment on function outbox.missed_batches(integer, integer) is
'Batches that should have been fanned out and were not.';
