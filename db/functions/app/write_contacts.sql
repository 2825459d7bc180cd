-- Puts merged contacts into the table. The old primary contact goes first, because there
-- is never more than one.
create or replace function app.write_contacts(
  p_organization_id uuid,
  p_contacts app.contacts[]
)
returns void
language plpgsql
volatile
set search_path = ''
as $$
begin
  if p_contacts = '{}' then
    return;
  end if;

  update app.contacts
  set is_primary = false
  where
    contacts.tenant_id = auth.tenant_id()
    and contacts.organization_id = p_organization_id
    and contacts.is_primary
    and exists (
      select
      from unnest(p_contacts) as merged
      where merged.is_primary and merged.id <> contacts.id
    );

  insert into app.contacts (
    tenant_id,
    id,
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
    merged.tenant_id,
    merged.id,
    p_organization_id,
    merged.external_reference,
    merged.display_name,
    merged.email,
    merged.phone,
    merged.contact_type,
    merged.other_label,
    merged.is_primary
  from unnest(p_contacts) as merged
  on conflict (tenant_id, id) do update set
    external_reference = excluded.external_reference,
    display_name = excluded.display_name,
    email = excluded.email,
    phone = excluded.phone,
    contact_type = excluded.contact_type,
    other_label = excluded.other_label,
    is_primary = excluded.is_primary;
end;
$$;

revoke all on function app.write_contacts(uuid, app.contacts[]) from public;
grant execute on function app.write_contacts(uuid, app.contacts[]) to svc_api;
comment on function app.write_contacts(uuid, app.contacts[]) is
'Inserts or updates merged contacts of an organization; a new primary takes over.';
