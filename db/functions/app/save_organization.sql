-- Merges what was sent into a row (all null: a new one) and writes it, its contacts and
-- its event, unless its contacts conflict or it would not be complete. The caller holds
-- the locks. Fields that were left out stay; a null clears, a flag to its default.
-- Where nothing differs, only the event is written: a partner's nightly run costs no
-- table a new version of each row, and updated_at tells of changes alone.
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
  v_action text := case when p_old.id is null then 'created' else 'updated' end;
  v_organization app.organizations := jsonb_populate_record(p_old, p_body);
  v_missing text[] := app.missing_fields(v_organization);
  v_stored app.contacts[] := '{}';
  v_merged app.contacts[] := '{}';
  v_taken_email text;
begin
  if jsonb_array_length(nullif(p_body -> 'contacts', 'null')) > 0 then
    if v_action = 'updated' then
      v_stored := app.stored_contacts(p_old.id);
    end if;
    v_merged := app.merge_contacts(v_stored, p_body -> 'contacts');
    v_taken_email := app.taken_email(v_stored, v_merged);
  end if;

  if v_taken_email is not null then
    return app.failure(
      'contact_conflict',
      format('Another contact of this organization has the e-mail %s.', v_taken_email)
    );
  end if;
  if v_missing <> '{}' then
    return app.incomplete(v_organization.client_type, v_missing);
  end if;

  if v_organization is distinct from p_old or v_merged <> '{}' then
    v_organization := case v_action
      when 'created' then app.insert_organization(v_organization)
      else app.update_organization(v_organization)
    end;
  end if;
  if v_merged <> '{}' then
    perform app.write_contacts(v_organization, v_stored, v_merged);
  end if;
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
