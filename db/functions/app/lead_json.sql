-- A lead as the public API shows it: the one serializer of upsert, read and list.
create or replace function app.lead_json(p_lead app.leads)
returns json
language sql
stable
set search_path = ''
as $$
  select json_build_object(
    'id', p_lead.id,
    'external_reference', p_lead.external_reference,
    'external_source', p_lead.external_source,
    'title', p_lead.title,
    'stage', p_lead.stage,
    'amount_cents', p_lead.amount_cents,
    'notes', p_lead.notes,
    'organization_id', p_lead.organization_id,
    'organization_external_reference', (
      select organizations.external_reference
      from app.organizations
      where
        organizations.tenant_id = p_lead.tenant_id
        and organizations.id = p_lead.organization_id
    ),
    'created_at', app.iso_time(p_lead.created_at),
    'updated_at', app.iso_time(p_lead.updated_at)
  );
$$;

revoke all on function app.lead_json(app.leads) from public;
grant execute on function app.lead_json(app.leads) to svc_api;
comment on function app.lead_json(app.leads) is 'The public record of a lead.';
