-- An organization of the key's tenant. Another tenant's id is as unknown as one never given.
create or replace function app.require_organization(p_id uuid)
returns app.organizations
language plpgsql
stable
set search_path = ''
as $$
declare
  v_organization app.organizations;
begin
  select *
  into v_organization
  from app.organizations
  where organizations.tenant_id = (select auth.tenant_id()) and organizations.id = p_id;

  if not found then
    raise exception using
      errcode = 'PT404',
      constraint = 'not_found',
      message = 'No organization has this id.';
  end if;
  return v_organization;
end;
$$;

revoke all on function app.require_organization(uuid) from public;
grant execute on function app.require_organization(uuid) to svc_api;
comment on function app.require_organization(uuid) is 'An organization by id. Raises 404.';
