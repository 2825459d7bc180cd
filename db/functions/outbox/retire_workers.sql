-- Lets go of all that workers held which are no more: their jobs and their claims.
create or replace function outbox.retire_workers(p_worker_ids text[])
returns void
language plpgsql
volatile
set search_path = ''
as $$
begin
  perform graphile_worker.force_unlock_workers(p_worker_ids);

  update outbox.deliveries
  set claimed_by = null
  where deliveries.next_attempt_at is not null and deliveries.claimed_by = any(p_worker_ids);

  delete from outbox.workers
  where workers.id = any(p_worker_ids);
end;
$$;

revoke all on function outbox.retire_workers(text[]) from public;
grant execute on function outbox.retire_workers(text[]) to svc_worker;
comment on function outbox.retire_workers(text[]) is
'Unlocks the jobs and frees the claims of workers that have stopped or died.';
