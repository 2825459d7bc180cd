-- Frees what a living worker has claimed without knowing: the claim was committed, but the
-- connection broke before the answer came. It names all that it holds; what it doesn't name
-- and has had for longer than any answer takes is such a claim.
create or replace function outbox.free_lost_claims(p_worker_id text, p_held uuid[])
returns integer
language plpgsql
volatile
set search_path = ''
as $$
declare
  -- Above the time-outs of a statement and of the driver.
  c_oldest_answer constant interval := '2 minutes';
  v_freed integer;
begin
  update outbox.deliveries
  set claimed_by = null
  from outbox.endpoints
  where
    deliveries.endpoint_id = endpoints.id
    and deliveries.next_attempt_at < now() - c_oldest_answer
    and deliveries.claimed_by = p_worker_id
    and deliveries.claimed_at < now() - c_oldest_answer
    and deliveries.id <> all(p_held);

  get diagnostics v_freed = row_count;
  return v_freed;
end;
$$;

revoke all on function outbox.free_lost_claims(text, uuid[]) from public;
grant execute on function outbox.free_lost_claims(text, uuid[]) to svc_worker;
comment on function outbox.free_lost_claims(text, uuid[]) is
'Frees the claims of a worker that it never heard of; the sweep wakes their endpoints. Gives how many.';
