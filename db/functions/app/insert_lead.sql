-- A new lead.
create or replace function app.insert_lead(p_lead app.leads)
returns app.leads
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_inserted app.leads;
begin
  insert into app.leads (
    tenant_id,
    organization_id,
    external_reference,
    external_source,
    title,
    stage,
    amount_cents,
    notes
  )
  values (
    auth.tenant_id(),
    p_lead.organization_id,
    p_lead.external_reference,
    p_lead.external_source,
    p_lead.title,
    p_lead.stage,
    p_lead.amount_cents,
    p_lead.notes
  )
  returning * into v_inserted;
  return v_inserted;
end;
$$;

revoke all on function app.insert_lead(app.leads) from public;
grant execute on function app.insert_lead(app.leads) to svc_api;
comment on function app.insert_lead(app.leads) is 'Inserts a lead and gives its row.';
