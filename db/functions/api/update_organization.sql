-- PATCH /public/v1/organizations/{id}
create or replace function api.update_organization(p_key_id uuid, p_id uuid, p_body jsonb)
returns api.reply
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_old app.organizations;
  v_holders app.organizations[];
  v_conflict app.outcome;
  v_outcomes app.outcome[];
begin
  perform app.lock_organizations(array[p_body], array[p_id]);
  v_old := app.require_organization(p_id);

  v_holders := array(
    select held.holder
    from app.key_holders(array[p_body]) as held
    where (held.holder).id is not null
  );
  v_conflict := app.key_conflict(v_holders, p_id, p_body);
  if v_conflict.action is not null then
    v_conflict.error_code := 'conflict';
    perform app.raise_outcome(v_conflict);
  end if;

  v_outcomes := app.save_organizations(array[
    row(
      v_old,
      jsonb_populate_record(v_old, p_body),
      p_body -> 'contacts',
      '{}',
      null
    )::app.organization_change
  ]);
  return app.saved_reply(
    (app.raise_outcome(v_outcomes[1])).action,
    app.organization_json(app.require_organization(p_id))
  );
end;
$$;

revoke all on function api.update_organization(uuid, uuid, jsonb) from public;
grant execute on function api.update_organization(uuid, uuid, jsonb) to svc_api;
comment on function api.update_organization(uuid, uuid, jsonb) is
'Operation: fields and contacts of an organization. Raises 404, 409 and 422.';
