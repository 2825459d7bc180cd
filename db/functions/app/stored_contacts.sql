-- The contacts that an organization has. The policy names the tenant.
create or replace function app.stored_contacts(p_organization_id uuid)
returns app.contacts[]
language plpgsql
stable
set search_path = ''
as $$
begin
  return array(
    select contacts
    from app.contacts
    where contacts.organization_id = p_organization_id
  );
end;
$$;

revoke all on function app.stored_contacts(uuid) from public;
grant execute on function app.stored_contacts(uuid) to svc_api;
comment on function app.stored_contacts(uuid) is 'The contacts of an organization as rows.';
