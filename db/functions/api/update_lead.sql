-- PATCH /public/v1/leads/{id}
-- A lead stays with its organization: to move it, it is sent whole with its reference.
create or replace function api.update_lead(p_key_id uuid, p_id uuid, p_body jsonb)
returns api.reply
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_outcome app.outcome;
begin
  perform
  from app.leads
  where leads.tenant_id = (select auth.tenant_id()) and leads.id = p_id
  for no key update;

  v_outcome := app.save_lead(app.require_lead(p_id), p_body);
  return app.reply(
    200,
    app.with_action(app.lead_json(app.require_lead(p_id)), v_outcome.action)
  );
end;
$$;

revoke all on function api.update_lead(uuid, uuid, jsonb) from public;
grant execute on function api.update_lead(uuid, uuid, jsonb) to svc_api;
comment on function api.update_lead(uuid, uuid, jsonb) is
'Operation: fields of a lead. Raises 404.';
