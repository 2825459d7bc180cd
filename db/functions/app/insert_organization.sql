-- A new organization. A flag that says nothing has its default.
create or replace function app.insert_organization(p_organization app.organizations)
returns app.organizations
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_inserted app.organizations;
begin
  insert into app.organizations (
    tenant_id,
    external_reference,
    external_source,
    name,
    client_type,
    phone,
    email,
    website,
    address_line1,
    address_line2,
    city,
    state,
    postal_code,
    account_number,
    amc_license_number,
    notes,
    is_active,
    paid_when_paid
  )
  values (
    auth.tenant_id(),
    p_organization.external_reference,
    p_organization.external_source,
    p_organization.name,
    p_organization.client_type,
    p_organization.phone,
    p_organization.email,
    p_organization.website,
    p_organization.address_line1,
    p_organization.address_line2,
    p_organization.city,
    p_organization.state,
    p_organization.postal_code,
    p_organization.account_number,
    p_organization.amc_license_number,
    p_organization.notes,
    coalesce(p_organization.is_active, true),
    coalesce(p_organization.paid_when_paid, false)
  )
  returning * into v_inserted;
  return v_inserted;
end;
$$;

revoke all on function app.insert_organization(app.organizations) from public;
grant execute on function app.insert_organization(app.organizations) to svc_api;
comment on function app.insert_organization(app.organizations) is
'Inserts an organization and gives its row.';
