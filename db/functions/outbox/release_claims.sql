-- Gives claims back unsent: the next claim takes them again.
create or replace function outbox.release_claims(p_worker_id text, p_delivery_ids uuid[])
returns void
language sql
volatile
set search_path = ''
as $$
  update outbox.deliveries
  set claimed_by = null
  where deliveries.id = any(p_delivery_ids) and deliveries.claimed_by = p_worker_id;
$$;

revoke all on function outbox.release_claims(text, uuid[]) from public;
grant execute on function outbox.release_claims(text, uuid[]) to svc_worker;
comment on function outbox.release_claims(text, uuid[]) is 'Gives a worker''s claims back unsent.';
