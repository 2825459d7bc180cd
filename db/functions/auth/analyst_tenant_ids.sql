-- The tenants of the analyst's token in force. Policies for svc_analyst compare with
-- them, as `tenant_id = any((select auth.analyst_tenant_ids())::uuid[])`, which is worked out
-- once for each statement and can use an index.
-- Security definer: tokens can't be read otherwise, so that a tenant can't be named, only
-- be derived from a token's digest. Stable, never immutable: a plan must not keep the
-- first analyst's tenants.
create or replace function auth.analyst_tenant_ids()
returns uuid[]
language plpgsql
stable
parallel safe
security definer
set search_path = ''
as $$
begin
  if auth.analyst_sees_all_tenants() then
    return array(select tenants.id from app.tenants);
  end if;

  return array(
    select analyst_token_tenants.tenant_id
    from auth.analyst_tokens
    inner join auth.analyst_token_tenants
      on analyst_tokens.id = analyst_token_tenants.token_id
    where
      encode(analyst_tokens.digest, 'hex') = current_setting('svc.analyst_digest', true)
      and analyst_tokens.revoked_at is null
      and (analyst_tokens.expires_at is null or analyst_tokens.expires_at > now())
  );
end;
$$;

alter function auth.analyst_tenant_ids() owner to svc_auth;
revoke all on function auth.analyst_tenant_ids() from public;
grant execute on function auth.analyst_tenant_ids() to svc_analyst;
comment on function auth.analyst_tenant_ids() is
'Tenants of the analyst''s token in force, or none. The only source of tenants for svc_analyst.';
