-- A heartbeat of each of a process's workers: the senders and the pools of jobs.
create or replace function outbox.beat(p_worker_ids text[])
returns void
language sql
volatile
set search_path = ''
as $$
  insert into outbox.workers (id)
  select worker.id
  from unnest(p_worker_ids) as worker (id)
  on conflict (id) do update set seen_at = clock_timestamp();
$$;

revoke all on function outbox.beat(text[]) from public;
grant execute on function outbox.beat(text[]) to svc_worker;
comment on function outbox.beat(text[]) is 'Says that workers are alive.';
