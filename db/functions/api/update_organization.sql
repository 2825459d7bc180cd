-- PATCH /public/v1/organizations/{id}
create or replace function api.update_organization(p_key_id uuid, p_id uuid, p_body jsonb)
returns api.reply
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_organization app.organizations;
  v_conflict app.outcome;
  v_outcome app.outcome;
begin
  perform app.lock_organizations(jsonb_build_array(p_body), array[p_id]);
  v_organization := app.require_organization(p_id);

  v_conflict := app.key_conflict(app.key_holders(p_body), p_id, p_body);
  if v_conflict.action is not null then
    v_conflict.error_code := 'conflict';
    perform app.raise_outcome(v_conflict);
  end if;

  v_outcome := app.raise_outcome(app.save_organization(v_organization, p_body));
  return app.saved_reply(
    v_outcome.action,
    app.organization_json(app.require_organization(p_id))
  );
end;
$$;

revoke all on function api.update_organization(uuid, uuid, jsonb) from public;
grant execute on function api.update_organization(uuid, uuid, jsonb) to svc_api;
comment on function api.update_organization(uuid, uuid, jsonb) is
'Operation: fields and contacts of an organization. Raises 404, 409 and 422.';
