-- Makes sure that a job looks after an endpoint at a time, or earlier. One waiting job
-- an endpoint is enough: it takes all that is due. Security definer, owned by the owner
-- of graphile_worker, so that the operator's side can wake an endpoint, too.
create or replace function outbox.wake_endpoint(p_endpoint_id uuid, p_at timestamptz)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_key text := 'endpoint:' || p_endpoint_id;
begin
  -- Of two at once the second must see the first's job, or it would put it off.
  perform pg_advisory_xact_lock(hashtextextended(v_key, 0));

  if not exists (
    select
    from graphile_worker.jobs
    where
      jobs.key = v_key
      and jobs.locked_at is null
      and jobs.attempts < jobs.max_attempts
      and jobs.run_at <= p_at
  ) then
    perform graphile_worker.add_job(
      'delivery__send',
      json_build_object('endpoint_id', p_endpoint_id),
      run_at => p_at,
      job_key => v_key
    );
  end if;
end;
$$;

alter function outbox.wake_endpoint(uuid, timestamptz) owner to svc_worker;
revoke all on function outbox.wake_endpoint(uuid, timestamptz) from public;
grant execute on function outbox.wake_endpoint(uuid, timestamptz) to svc_worker;
comment on function outbox.wake_endpoint(uuid, timestamptz) is
'Adds the job that sends what an endpoint has due at a time, unless one is waiting.';
