-- A merged lead in the place of what it was.
create or replace function app.update_lead(p_lead app.leads)
returns app.leads
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_updated app.leads;
begin
  update app.leads
  set
    organization_id = p_lead.organization_id,
    external_source = p_lead.external_source,
    title = p_lead.title,
    stage = p_lead.stage,
    amount_cents = p_lead.amount_cents,
    notes = p_lead.notes
  where leads.tenant_id = p_lead.tenant_id and leads.id = p_lead.id
  returning * into v_updated;
  return v_updated;
end;
$$;

revoke all on function app.update_lead(app.leads) from public;
grant execute on function app.update_lead(app.leads) to svc_api;
comment on function app.update_lead(app.leads) is 'Updates a lead and gives its row.';
