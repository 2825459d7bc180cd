-- The tenant of the key in force. Policies of every tenant table compare with it.
-- Security definer: it alone, with its siblings here, may look into auth.api_keys,
-- so that a tenant can't be named, only be derived from a key's digest.
-- Stable, never immutable: a plan must not keep the first caller's tenant.
create or replace function auth.tenant_id()
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
    where
      encode(api_keys.digest, 'hex') = current_setting('svc.key_digest', true)
      and api_keys.revoked_at is null
      and (api_keys.expires_at is null or api_keys.expires_at > now())
  );
end;
$$;

alter function auth.tenant_id() owner to svc_auth;
revoke all on function auth.tenant_id() from public;
grant execute on function auth.tenant_id() to svc_api, svc_outbox, svc_search;
comment on function auth.tenant_id() is
'Tenant of the API key in force, or null. The only source of a tenant for svc_api.';
