-- Adds a batch of counts to app.api_usage: `[{digest, day, operation, requests, errors}]`.
-- Security definer because the caller can't read keys; it holds their digests, having
-- been shown the keys. Keys are taken one after another, each in force in its turn, and
-- in order, so that two processes that record at once don't deadlock.
create or replace function auth.record_usage(p_usage jsonb)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_digest text;
begin
  for v_digest in
    select distinct entry.digest
    from jsonb_to_recordset(p_usage) as entry (digest text)
    order by entry.digest
  loop
    perform set_config('svc.key_digest', v_digest, true);

    insert into app.api_usage (
      tenant_id, api_key_id, key_name, day, operation, requests, errors
    )
    select
      api_keys.tenant_id,
      api_keys.id,
      api_keys.name,
      entry.day,
      entry.operation,
      entry.requests,
      entry.errors
    from auth.api_keys
    inner join jsonb_to_recordset(p_usage) as entry (
      digest text, day date, operation text, requests integer, errors integer
    )
      on entry.digest = v_digest
    where encode(api_keys.digest, 'hex') = current_setting('svc.key_digest', true)
    order by entry.day, entry.operation
    on conflict (tenant_id, api_key_id, day, operation) do update
    set
      requests = api_usage.requests + excluded.requests,
      errors = api_usage.errors + excluded.errors;
  end loop;
end;
$$;

alter function auth.record_usage(jsonb) owner to svc_auth;
revoke all on function auth.record_usage(jsonb) from public;
grant execute on function auth.record_usage(jsonb) to svc_api;
comment on function auth.record_usage(jsonb) is
'Adds counts of requests and errors by key, day and operation; unknown keys count for nobody.';
