-- Writes changed organizations, their contacts and their events, those that a rule
-- refuses apart. Everything is decided before anything is written, so that a row which
-- fails leaves nothing, without a subtransaction. The caller holds the locks, and no two
-- changes are of one row or of one key. Fields that were left out stay; a null clears, a
-- flag to its default. Where nothing differs, only the event is written: a partner's
-- nightly run costs no table a new version of each row, and updated_at tells of changes
-- alone.
create or replace function app.save_organizations(p_changes app.organization_change[])
returns app.outcome[]
language plpgsql
volatile
set search_path = ''
set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_changes app.organization_change[] := app.judge_organizations(app.merge_contacts(p_changes));
  v_saved app.organization_change[] := array(
    select change from unnest(v_changes) as change where (change.outcome).action <> 'error'
  );
begin
  perform app.insert_organizations(array(
    select saved.new from unnest(v_saved) as saved where (saved.old).id is null
  ));
  perform app.update_organizations(array(
    select saved.new
    from unnest(v_saved) as saved
    where
      (saved.old).id is not null
      and (saved.new is distinct from saved.old or saved.contacts <> '{}')
  ));
  perform app.write_contacts(array(
    select contact from unnest(v_saved) as saved cross join unnest(saved.contacts) as contact
  ));
  perform outbox.emit('organization.upserted', array(
    select jsonb_build_object(
      'id', (saved.new).id,
      'external_reference', (saved.new).external_reference,
      'client_type', (saved.new).client_type,
      'action', (saved.outcome).action
    )
    from unnest(v_saved) as saved
  ));
  return array(select change.outcome from unnest(v_changes) as change);
end;
$$;

revoke all on function app.save_organizations(app.organization_change[]) from public;
grant execute on function app.save_organizations(app.organization_change[]) to svc_api;
comment on function app.save_organizations(app.organization_change[]) is
'Writes organizations with their contacts and events; for each what became of it.';
