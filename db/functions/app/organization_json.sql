-- An organization as the public API shows it: the one serializer of upsert, read and list.
create or replace function app.organization_json(p_organization app.organizations)
returns json
language sql
stable
set search_path = ''
as $$
  select json_build_object(
    'id', p_organization.id,
    'external_reference', p_organization.external_reference,
    'external_source', p_organization.external_source,
    'name', p_organization.name,
    'client_type', p_organization.client_type,
    'phone', p_organization.phone,
    'email', p_organization.email,
    'website', p_organization.website,
    'address_line1', p_organization.address_line1,
    'address_line2', p_organization.address_line2,
    'city', p_organization.city,
    'state', p_organization.state,
    'postal_code', p_organization.postal_code,
    'account_number', p_organization.account_number,
    'amc_license_number', p_organization.amc_license_number,
    'notes', p_organization.notes,
    'is_active', p_organization.is_active,
    'paid_when_paid', p_organization.paid_when_paid,
    'contacts', app.contacts_json(p_organization.id),
    'created_at', app.iso_time(p_organization.created_at),
    'updated_at', app.iso_time(p_organization.updated_at)
  );
$$;

revoke all on function app.organization_json(app.organizations) from public;
grant execute on function app.organization_json(app.organizations) to svc_api;
comment on function app.organization_json(app.organizations) is
'The public record of an organization with its contacts.';
