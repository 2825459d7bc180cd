-- A throw-away API key and analyst's token of a tenant, so that an attacker can put that
-- tenant in force as a real caller would.
create or replace function audit.make_credentials(p_tenant uuid)
returns void
language sql
volatile
set search_path = ''
as $$
  insert into auth.api_keys (tenant_id, name, prefix, digest, scopes, environment)
  values (p_tenant, 'isolation proof', 'svc_test_0000', audit.proof_digest(p_tenant), '{}', 'test');

  with token as (
    insert into auth.analyst_tokens (name, prefix, digest)
    values ('isolation proof', 'svc_analyst_0000', audit.proof_digest(p_tenant))
    returning id
  )
  insert into auth.analyst_token_tenants (token_id, tenant_id)
  select token.id, p_tenant
  from token;
$$;

revoke all on function audit.make_credentials(uuid) from public;
comment on function audit.make_credentials(uuid) is 'Adds a throw-away key and token of a tenant.';
