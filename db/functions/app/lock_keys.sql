-- Locks keys of the tenant until the transaction ends, so that of parallel requests with
-- one new key only one finds nobody there. All keys of a request in one call, because
-- they are taken in order. A key's lock is one of 64 of its tenant, as the server's lock
-- table is small; two keys that share one merely wait for each other.
create or replace function app.lock_keys(p_keys text[])
returns void
language plpgsql
volatile
set search_path = ''
as $$
declare
  c_last_bucket constant integer := 63;
  v_tenant_id uuid := auth.tenant_id();
begin
  perform pg_advisory_xact_lock(hashtext(v_tenant_id::text), bucket.number)
  from (
    select distinct hashtext(key) & c_last_bucket as number
    from unnest(p_keys) as key
    order by number
  ) as bucket;
end;
$$;

revoke all on function app.lock_keys(text[]) from public;
grant execute on function app.lock_keys(text[]) to svc_api;
comment on function app.lock_keys(text[]) is
'Locks keys of the tenant, each with its kind, in order.';
