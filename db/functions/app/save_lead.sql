-- Merges what was sent into a lead (without an id: a new one) and writes it with its
-- event. A stage is never blank: null is as good as none. Where nothing differs, only
-- the event is written, as with organizations.
create or replace function app.save_lead(
  p_old app.leads,
  p_body jsonb,
  p_organization_id uuid
)
returns app.outcome
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_action text := case when p_old.id is null then 'created' else 'updated' end;
  v_lead app.leads := jsonb_populate_record(
    p_old,
    app.lead_fields(p_body) || jsonb_build_object(
      'organization_id', p_organization_id,
      'stage', coalesce(p_body ->> 'stage', p_old.stage, 'lead')
    )
  );
begin
  if v_action = 'created' then
    v_lead := app.insert_lead(v_lead);
  elsif v_lead is distinct from p_old then
    v_lead := app.update_lead(v_lead);
  end if;

  perform outbox.emit('lead.upserted', array[jsonb_build_object(
    'id', v_lead.id,
    'external_reference', v_lead.external_reference,
    'organization_id', v_lead.organization_id,
    'action', v_action
  )]);
  return row(v_action, v_lead.id, null, null, null)::app.outcome;
end;
$$;

revoke all on function app.save_lead(app.leads, jsonb, uuid) from public;
grant execute on function app.save_lead(app.leads, jsonb, uuid) to svc_api;
comment on function app.save_lead(app.leads, jsonb, uuid) is 'Writes a merged lead with its event.';
