-- Forgets answers that are past their time, some at a time. Security definer: the worker
-- sees no table of the business, and svc_purge can do nothing else. It is in this schema
-- because it is the worker's only door.
create or replace function outbox.purge_idempotency_keys(p_hours integer, p_limit integer)
returns integer
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_removed integer;
begin
  delete from app.idempotency_keys
  using (
    select old.tenant_id, old.key
    from app.idempotency_keys as old
    where old.created_at < now() - make_interval(hours => p_hours)
    order by old.created_at
    limit p_limit
  ) as past
  where idempotency_keys.tenant_id = past.tenant_id and idempotency_keys.key = past.key;
  get diagnostics v_removed = row_count;
  return v_removed;
end;
$$;

alter function outbox.purge_idempotency_keys(integer, integer) owner to svc_purge;
revoke all on function outbox.purge_idempotency_keys(integer, integer) from public;
grant execute on function outbox.purge_idempotency_keys(integer, integer) to svc_worker;
comment on function outbox.purge_idempotency_keys(integer, integer) is
'Removes remembered answers older than some hours; gives how many.';
