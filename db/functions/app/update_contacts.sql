-- Merged contacts in the place of what they were, in one statement, so that some may
-- swap their e-mails.
create or replace function app.update_contacts(p_contacts app.contacts[])
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
  set
    external_reference = merged.external_reference,
    display_name = merged.display_name,
    email = merged.email,
    phone = merged.phone,
    contact_type = merged.contact_type,
    other_label = merged.other_label,
    is_primary = merged.is_primary
  from unnest(p_contacts) as merged
  where
    contacts.tenant_id = merged.tenant_id
    and contacts.id = merged.id;
end;
$$;

revoke all on function app.update_contacts(app.contacts[]) from public;
grant execute on function app.update_contacts(app.contacts[]) to svc_api;
comment on function app.update_contacts(app.contacts[]) is 'Updates contacts by id.';
