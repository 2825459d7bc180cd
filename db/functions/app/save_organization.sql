-- Merges what was sent into a row (all null: a new one) and writes it, its contacts and
-- its event, unless its contacts conflict or it would not be complete. The caller holds
-- the locks. Fields that were left out stay; a null clears, a flag to its default.
create or replace function app.save_organization(
  p_old app.organizations,
  p_body jsonb
)
returns app.outcome
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_organization app.organizations := jsonb_populate_record(p_old, p_body);
  v_contacts app.contacts[] := app.merge_contacts(p_old.id, p_body -> 'contacts');
  v_taken_email text := app.taken_email(p_old.id, v_contacts);
  v_missing text[] := app.missing_fields(v_organization);
  v_action text := case when p_old.id is null then 'created' else 'updated' end;
begin
  if v_taken_email is not null then
    return app.failure(
      'contact_conflict',
      format('Another contact of this organization has the e-mail %s.', v_taken_email)
    );
  end if;
  if v_missing <> '{}' then
    return app.incomplete(v_organization.client_type, v_missing);
  end if;

  v_organization := case
    when p_old.id is null then app.insert_organization(v_organization)
    else app.update_organization(v_organization)
  end;
  perform app.write_contacts(v_organization.id, v_contacts);
  perform outbox.emit('organization.upserted', jsonb_build_object(
    'id', v_organization.id,
    'external_reference', v_organization.external_reference,
    'client_type', v_organization.client_type,
    'action', v_action
  ));
  return row(v_action, v_organization.id, null, null, null)::app.outcome;
end;
$$;

revoke all on function app.save_organization(app.organizations, jsonb) from public;
grant execute on function app.save_organization(app.organizations, jsonb) to svc_api;
comment on function app.save_organization(app.organizations, jsonb) is
'Writes a merged organization with its contacts and event, or gives the error that refuses it.';
