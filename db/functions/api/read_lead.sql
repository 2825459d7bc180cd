-- GET /public/v1/leads/{id}
create or replace function api.read_lead(p_key_id uuid, p_id uuid)
returns api.reply
language sql
stable
set search_path = ''
as $$
  select app.reply(200, app.lead_json(app.require_lead(p_id)));
$$;

revoke all on function api.read_lead(uuid, uuid) from public;
grant execute on function api.read_lead(uuid, uuid) to svc_api;
comment on function api.read_lead(uuid, uuid) is 'Operation: a lead by id. Raises 404.';
