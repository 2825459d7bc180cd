-- Whether the analyst's token in force is for every tenant. Security definer: tokens
-- can't be read otherwise.
create or replace function auth.analyst_sees_all_tenants()
returns boolean
language plpgsql
stable
parallel safe
security definer
set search_path = ''
as $$
begin
  return exists (
    select
    from auth.analyst_tokens
    where
      encode(analyst_tokens.digest, 'hex') = current_setting('svc.analyst_digest', true)
      and analyst_tokens.is_for_all_tenants
      and analyst_tokens.revoked_at is null
      and (analyst_tokens.expires_at is null or analyst_tokens.expires_at > now())
  );
end;
$$;

alter function auth.analyst_sees_all_tenants() owner to svc_auth;
revoke all on function auth.analyst_sees_all_tenants() from public;
comment on function auth.analyst_sees_all_tenants() is
'Whether the analyst''s token in force is for every tenant, future ones included.';
