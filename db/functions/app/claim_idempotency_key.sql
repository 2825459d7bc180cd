-- Claims an Idempotency-Key for this transaction, or gives the answer that it
-- already has. Two requests with one key meet at an advisory lock: the second
-- waits until the first has committed, then replays, or failed, then goes ahead.
-- The wait is bounded, as a caller's patience is: 5 s, then 409.
create or replace function app.claim_idempotency_key(p_key text, p_fingerprint bytea)
returns api.reply
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_tenant_id uuid := auth.tenant_id();
  v_lock bigint := hashtextextended('idempotency:' || v_tenant_id || ':' || p_key, 0);
  v_known app.idempotency_keys;
begin
  if not pg_try_advisory_xact_lock(v_lock) then
    perform app.wait_for_idempotency_key(v_lock);
  end if;

  select *
  into v_known
  from app.idempotency_keys
  where idempotency_keys.tenant_id = v_tenant_id and idempotency_keys.key = p_key;

  if not found then
    return null;
  end if;

  if v_known.fingerprint <> p_fingerprint then
    raise exception using
      errcode = 'PT409',
      constraint = 'idempotency_conflict',
      message = 'This Idempotency-Key was used for another request.';
  end if;

  return row(v_known.status, v_known.body, true)::api.reply;
end;
$$;

revoke all on function app.claim_idempotency_key(text, bytea) from public;
grant execute on function app.claim_idempotency_key(text, bytea) to svc_api;
comment on function app.claim_idempotency_key(text, bytea) is
'The answer already given to this key, or null when the request is the first. Raises 409.';
