-- A merged organization in the place of what it was. A flag that was cleared has its
-- default again.
create or replace function app.update_organization(p_organization app.organizations)
returns app.organizations
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_updated app.organizations;
begin
  update app.organizations
  set
    external_reference = p_organization.external_reference,
    external_source = p_organization.external_source,
    name = p_organization.name,
    client_type = p_organization.client_type,
    phone = p_organization.phone,
    email = p_organization.email,
    website = p_organization.website,
    address_line1 = p_organization.address_line1,
    address_line2 = p_organization.address_line2,
    city = p_organization.city,
    state = p_organization.state,
    postal_code = p_organization.postal_code,
    account_number = p_organization.account_number,
    amc_license_number = p_organization.amc_license_number,
    notes = p_organization.notes,
    is_active = coalesce(p_organization.is_active, true),
    paid_when_paid = coalesce(p_organization.paid_when_paid, false)
  where
    organizations.tenant_id = p_organization.tenant_id
    and organizations.id = p_organization.id
  returning * into v_updated;
  return v_updated;
end;
$$;

revoke all on function app.update_organization(app.organizations) from public;
grant execute on function app.update_organization(app.organizations) to svc_api;
comment on function app.update_organization(app.organizations) is
'Updates an organization and gives its row.';
