-- New contacts of an organization, in the order in which they came.
create or replace function app.insert_contacts(
  p_organization app.organizations,
  p_contacts app.contacts[]
)
returns void
language sql
volatile
set search_path = ''
as $$
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
    p_organization.tenant_id,
    p_organization.id,
    merged.external_reference,
    merged.display_name,
    merged.email,
    merged.phone,
    merged.contact_type,
    merged.other_label,
    merged.is_primary
  from unnest(p_contacts) as merged;
$$;

revoke all on function app.insert_contacts(app.organizations, app.contacts[]) from public;
grant execute on function app.insert_contacts(app.organizations, app.contacts[]) to svc_api;
comment on function app.insert_contacts(app.organizations, app.contacts[]) is
'Inserts contacts of an organization.';
