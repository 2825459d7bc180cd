-- The tenant of the key whose use is being recorded: unlike auth.tenant_id(), also when
-- the key was revoked since, because what it did before counts.
create or replace function auth.used_tenant_id()
returns uuid
language plpgsql
stable
parallel safe
security definer
set search_path = ''
as $$
begin
  return (
    select api_keys.tenant_id
    from auth.api_keys
    where encode(api_keys.digest, 'hex') = current_setting('svc.key_digest', true)
  );
end;
$$;

alter function auth.used_tenant_id() owner to svc_auth;
revoke all on function auth.used_tenant_id() from public;
comment on function auth.used_tenant_id() is
'Tenant of the API key in force, live or not. Opens app.api_usage to auth.record_usage.';
