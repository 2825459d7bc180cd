-- PATCH /public/v1/leads/{id}
-- The row is locked before it is read, so that parallel changes of it lose nothing.
create or replace function api.update_lead(p_key_id uuid, p_id uuid, p_body jsonb)
returns api.reply
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_lead app.leads;
  v_outcome app.outcome;
begin
  perform
  from app.leads
  where leads.tenant_id = (select auth.tenant_id()) and leads.id = p_id
  for no key update;

  v_lead := app.require_lead(p_id);
  v_outcome := app.save_lead(v_lead, p_body, v_lead.organization_id);
  return app.saved_reply(v_outcome.action, app.lead_json(app.require_lead(p_id)));
end;
$$;

revoke all on function api.update_lead(uuid, uuid, jsonb) from public;
grant execute on function api.update_lead(uuid, uuid, jsonb) to svc_api;
comment on function api.update_lead(uuid, uuid, jsonb) is
'Operation: fields of a lead, which stays with its organization. Raises 404.';
