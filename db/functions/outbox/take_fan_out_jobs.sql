-- Ends waiting jobs of this one kind in bulk, on behalf of the job that runs: their work
-- is done in the same transaction, or they are there again. One by one, fetching and
-- ending a job costs more than the work.
create or replace function outbox.take_fan_out_jobs(p_limit integer)
returns setof uuid
language sql
volatile
set search_path = ''
as $$
  delete from graphile_worker._private_jobs
  where _private_jobs.id in (
    select waiting.id
    from graphile_worker._private_jobs as waiting
    where
      waiting.is_available
      and waiting.run_at <= now()
      and waiting.task_id = (
        select tasks.id
        from graphile_worker._private_tasks as tasks
        where tasks.identifier = 'event__fan_out'
      )
    order by waiting.priority, waiting.run_at
    limit p_limit
    for update skip locked
  )
  returning (_private_jobs.payload ->> 'batch_id')::uuid;
$$;

revoke all on function outbox.take_fan_out_jobs(integer) from public;
grant execute on function outbox.take_fan_out_jobs(integer) to svc_worker;
comment on function outbox.take_fan_out_jobs(integer) is
'Ends waiting fan-out jobs, up to a number, and gives their batches.';
