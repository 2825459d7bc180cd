-- Puts right what a kill leaves behind, within seconds: retires the workers whose
-- heartbeat stopped, and wakes every endpoint that has something due and nobody who
-- looks after it. One process sweeps at a time; the others go on with their work.
create or replace function outbox.sweep()
returns void
language plpgsql
volatile
set search_path = ''
as $$
declare
  -- Five missed beats. Shorter, and a pause of the process would send things twice.
  c_silence constant interval := '15 seconds';
  -- What fell due just now is on its way to a sender.
  c_patience constant interval := '5 seconds';
  v_dead text[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('outbox.sweep', 0)) then
    return;
  end if;

  select array_agg(dead.id)
  into v_dead
  from (
    select workers.id
    from outbox.workers
    where workers.seen_at < now() - c_silence
    union
    -- Killed before its first beat.
    select jobs.locked_by
    from graphile_worker.jobs
    where
      jobs.locked_at < now() - c_silence
      and not exists (select from outbox.workers where workers.id = jobs.locked_by)
  ) as dead;

  if v_dead is not null then
    perform outbox.retire_workers(v_dead);
  end if;

  perform outbox.wake_endpoint(waiting.endpoint_id, waiting.next_attempt_at)
  from (
    select
      endpoints.id as endpoint_id,
      (
        select min(deliveries.next_attempt_at)
        from outbox.deliveries
        where
          deliveries.endpoint_id = endpoints.id
          and deliveries.next_attempt_at is not null
          and deliveries.claimed_by is null
      ) as next_attempt_at
    from outbox.endpoints
    order by endpoints.id
  ) as waiting
  where
    waiting.next_attempt_at < now() - c_patience
    or waiting.next_attempt_at > now();
end;
$$;

revoke all on function outbox.sweep() from public;
grant execute on function outbox.sweep() to svc_worker;
comment on function outbox.sweep() is
'Retires dead workers and wakes endpoints that are owed a job.';
