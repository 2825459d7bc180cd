-- What a key may know about itself. Security definer: keys can't be read otherwise.
create or replace function auth.identity_json()
returns json
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select json_build_object(
      'tenant_id', tenants.id,
      'tenant_slug', tenants.slug,
      'tenant_name', tenants.name,
      'key_name', api_keys.name,
      'key_prefix', api_keys.prefix,
      'scopes', to_json(api_keys.scopes),
      'environment', api_keys.environment
    )
    from auth.api_keys
    inner join app.tenants on api_keys.tenant_id = tenants.id
    where encode(api_keys.digest, 'hex') = current_setting('svc.key_digest', true)
  );
end;
$$;

alter function auth.identity_json() owner to svc_auth;
revoke all on function auth.identity_json() from public;
grant execute on function auth.identity_json() to svc_api;
comment on function auth.identity_json() is 'The key in force and its tenant, as /me shows them.';
