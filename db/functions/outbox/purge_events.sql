-- Removes what is past its time, with its deliveries and attempts, the oldest first and
-- some at a time, so that no lock is held for long. What is still to be sent stays.
-- An id begins with its time, so the primary key finds them.
create or replace function outbox.purge_events(p_days integer, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_removed integer;
begin
  delete from outbox.events
  where events.id in (
    select old.id
    from outbox.events as old
    where
      old.id < uuidv7(make_interval(days => -p_days))
      and not exists (
        select
        from outbox.deliveries
        where deliveries.event_id = old.id and deliveries.next_attempt_at is not null
      )
    order by old.id
    limit p_limit
  );
  get diagnostics v_removed = row_count;
  return v_removed;
end;
$$;

revoke all on function outbox.purge_events(integer, integer) from public;
grant execute on function outbox.purge_events(integer, integer) to svc_worker;
comment on function outbox.purge_events(integer, integer) is
'Removes events older than some days, with all that came of them; gives how many.';
