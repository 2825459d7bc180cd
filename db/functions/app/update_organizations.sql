-- Merged organizations in the place of what they were. A flag that was cleared has its
-- default again.
create or replace function app.update_organizations(p_organizations app.organizations[])
returns void
language plpgsql
volatile
set search_path = ''
as $$
begin
  if p_organizations = '{}' then
    return;
  end if;

  update app.organizations
  set
    external_reference = merged.external_reference,
    external_source = merged.external_source,
    name = merged.name,
    client_type = merged.client_type,
    phone = merged.phone,
    email = merged.email,
    website = merged.website,
    address_line1 = merged.address_line1,
    address_line2 = merged.address_line2,
    city = merged.city,
    state = merged.state,
    postal_code = merged.postal_code,
    account_number = merged.account_number,
    amc_license_number = merged.amc_license_number,
    notes = merged.notes,
    is_active = coalesce(merged.is_active, true),
    paid_when_paid = coalesce(merged.paid_when_paid, false)
  from unnest(p_organizations) as merged
  where
    organizations.tenant_id = merged.tenant_id
    and organizations.id = merged.id;
end;
$$;

revoke all on function app.update_organizations(app.organizations[]) from public;
grant execute on function app.update_organizations(app.organizations[]) to svc_api;
comment on function app.update_organizations(app.organizations[]) is 'Updates organizations by id.';
