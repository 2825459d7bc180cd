-- The slow path of a claim, by itself: only here is a subtransaction paid for.
create or replace function app.wait_for_idempotency_key(p_lock bigint)
returns void
language plpgsql
volatile
set search_path = ''
set lock_timeout = '5s'
as $$
begin
  perform pg_advisory_xact_lock(p_lock);
exception
  when lock_not_available then
    raise exception using
      errcode = 'PT409',
      constraint = 'idempotency_in_progress',
      message = 'The first request with this Idempotency-Key is still running.';
end;
$$;

revoke all on function app.wait_for_idempotency_key(bigint) from public;
grant execute on function app.wait_for_idempotency_key(bigint) to svc_api;
comment on function app.wait_for_idempotency_key(bigint) is
'Waits up to 5 s for the request that holds a key. Raises 409 idempotency_in_progress.';
