-- GET /public/v1/organizations/{id}
create or replace function api.read_organization(p_key_id uuid, p_id uuid)
returns api.reply
language sql
stable
set search_path = ''
as $$
  select app.reply(200, app.organization_json(app.require_organization(p_id)));
$$;

revoke all on function api.read_organization(uuid, uuid) from public;
grant execute on function api.read_organization(uuid, uuid) to svc_api;
comment on function api.read_organization(uuid, uuid) is
'Operation: an organization by id. Raises 404.';
