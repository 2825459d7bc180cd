-- New contacts of organizations, in the order in which they came.
create or replace function app.insert_contacts(p_contacts app.contacts[])
returns void
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_tenant_id uuid;
begin
  if p_contacts = '{}' then
    return;
  end if;

  v_tenant_id := auth.tenant_id();
  insert into app.contacts (
    tenant_id,
    organization_id,
    external_reference,
    display_name,
    email,
    phone,
    contact_type,
    other_label,
    is_primary
  )
  select
    v_tenant_id,
    merged.organization_id,
    merged.external_reference,
    merged.display_name,
    merged.email,
    merged.phone,
    merged.contact_type,
    merged.other_label,
    merged.is_primary
  from unnest(p_contacts) as merged;
end;
$$;

revoke all on function app.insert_contacts(app.contacts[]) from public;
grant execute on function app.insert_contacts(app.contacts[]) to svc_api;
comment on function app.insert_contacts(app.contacts[]) is
'Inserts contacts of organizations.';
