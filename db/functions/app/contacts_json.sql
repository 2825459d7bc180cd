-- The contacts of an organization as its record shows them, in the order of their coming.
create or replace function app.contacts_json(p_organization_id uuid)
returns json
language sql
stable
set search_path = ''
as $$
  select coalesce(
    json_agg(
      json_build_object(
        'id', contacts.id,
        'external_reference', contacts.external_reference,
        'display_name', contacts.display_name,
        'email', contacts.email,
        'phone', contacts.phone,
        'contact_type', contacts.contact_type,
        'other_label', contacts.other_label,
        'is_primary', contacts.is_primary,
        'created_at', app.iso_time(contacts.created_at),
        'updated_at', app.iso_time(contacts.updated_at)
      )
      order by contacts.created_at, contacts.id
    ),
    '[]'
  )
  from app.contacts
  where
    contacts.tenant_id = (select auth.tenant_id())
    and contacts.organization_id = p_organization_id;
$$;

revoke all on function app.contacts_json(uuid) from public;
grant execute on function app.contacts_json(uuid) to svc_api;
comment on function app.contacts_json(uuid) is 'The contact records of an organization.';
