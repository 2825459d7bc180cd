-- A new primary contact takes over: the old one goes first, because there is never more
-- than one. The policy names the tenant.
create or replace function app.displace_primary(p_contacts app.contacts[])
returns void
language plpgsql
volatile
set search_path = ''
as $$
begin
  update app.contacts
  set is_primary = false
  from unnest(p_contacts) as merged
  where
    contacts.organization_id = merged.organization_id
    and contacts.is_primary
    and merged.is_primary
    and contacts.id is distinct from merged.id;
end;
$$;

revoke all on function app.displace_primary(app.contacts[]) from public;
grant execute on function app.displace_primary(app.contacts[]) to svc_api;
comment on function app.displace_primary(app.contacts[]) is
'Unsets the primary contacts whose place merged ones take.';
