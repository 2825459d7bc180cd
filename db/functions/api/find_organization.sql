-- GET /public/v1/organizations/by-reference?external_reference=
create or replace function api.find_organization(p_key_id uuid, p_external_reference text)
returns api.reply
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
  where
    organizations.tenant_id = (select auth.tenant_id())
    and organizations.external_reference = p_external_reference;

  if not found then
    raise exception using
      errcode = 'PT404',
      constraint = 'not_found',
      message = 'No organization has this external_reference.';
  end if;
  return app.reply(200, app.organization_json(v_organization));
end;
$$;

revoke all on function api.find_organization(uuid, text) from public;
grant execute on function api.find_organization(uuid, text) to svc_api;
comment on function api.find_organization(uuid, text) is
'Operation: the organization with a caller''s reference. Raises 404.';
