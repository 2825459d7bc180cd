-- Within an organization an e-mail is one contact's alone. Contacts that the request
-- itself moves to another address give theirs free.
create or replace function app.taken_email(
  p_organization_id uuid,
  p_contacts app.contacts[]
)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_contacts = '{}' then
    return null;
  end if;

  return (
    select contacts.email
    from app.contacts
    where
      contacts.tenant_id = (select auth.tenant_id())
      and contacts.organization_id = p_organization_id
      and contacts.email_key in (select merged.email_key from unnest(p_contacts) as merged)
      and contacts.id not in (select merged.id from unnest(p_contacts) as merged)
    order by contacts.email_key
    limit 1
  );
end;
$$;

revoke all on function app.taken_email(uuid, app.contacts[]) from public;
grant execute on function app.taken_email(uuid, app.contacts[]) to svc_api;
comment on function app.taken_email(uuid, app.contacts[]) is
'An e-mail of merged contacts that another contact of the organization has, or null.';
