-- New organizations. A flag that says nothing has its default.
create or replace function app.insert_organizations(p_organizations app.organizations[])
returns void
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_tenant_id uuid;
begin
  if p_organizations = '{}' then
    return;
  end if;

  v_tenant_id := auth.tenant_id();
  insert into app.organizations (
    tenant_id,
    id,
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
  select
    v_tenant_id,
    created.id,
    created.external_reference,
    created.external_source,
    created.name,
    created.client_type,
    created.phone,
    created.email,
    created.website,
    created.address_line1,
    created.address_line2,
    created.city,
    created.state,
    created.postal_code,
    created.account_number,
    created.amc_license_number,
    created.notes,
    coalesce(created.is_active, true),
    coalesce(created.paid_when_paid, false)
  from unnest(p_organizations) as created;
end;
$$;

revoke all on function app.insert_organizations(app.organizations[]) from public;
grant execute on function app.insert_organizations(app.organizations[]) to svc_api;
comment on function app.insert_organizations(app.organizations[]) is
'Inserts organizations with the ids that they have.';
