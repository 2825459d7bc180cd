-- The only way for the API's side to add a job. Security definer, owned by the owner
-- of graphile_worker: it can add this one task and no other.
-- It does what graphile_worker.add_job does for a job without a key, and no more: the
-- look-up of keys in there takes 0.2 µs for each waiting job (10 ms at 50,000) under the
-- plan that a session has kept since there were few, and each request would pay it.
create or replace function outbox.add_fan_out_job(p_batch_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  insert into graphile_worker._private_jobs (task_id, payload)
  select tasks.id, json_build_object('batch_id', p_batch_id)
  from graphile_worker._private_tasks as tasks
  where tasks.identifier = 'event__fan_out';

  if found then
    perform pg_notify('jobs:insert', '{"count":1}');
  else
    -- The first job ever: this makes the task, too.
    perform graphile_worker.add_job(
      'event__fan_out',
      json_build_object('batch_id', p_batch_id)
    );
  end if;
end;
$$;

alter function outbox.add_fan_out_job(uuid) owner to svc_worker;
revoke all on function outbox.add_fan_out_job(uuid) from public;
grant execute on function outbox.add_fan_out_job(uuid) to svc_outbox;
comment on function outbox.add_fan_out_job(uuid) is
'Adds the job that turns a transaction''s events into deliveries.';
