-- The only way for the API's side to add a job. Security definer, owned by the
-- owner of graphile_worker: it can add this one task and no other.
create or replace function outbox.add_fan_out_job(p_batch_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform graphile_worker.add_job(
    'event__fan_out',
    json_build_object('batch_id', p_batch_id)
  );
end;
$$;

alter function outbox.add_fan_out_job(uuid) owner to svc_worker;
revoke all on function outbox.add_fan_out_job(uuid) from public;
grant execute on function outbox.add_fan_out_job(uuid) to svc_outbox;
comment on function outbox.add_fan_out_job(uuid) is
'Adds the job that turns a transaction''s events into deliveries.';
