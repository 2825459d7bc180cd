-- Writes merged contacts: those that were there, which may give an e-mail free, before
-- those that are new.
create or replace function app.write_contacts(
  p_organization app.organizations,
  p_stored app.contacts[],
  p_merged app.contacts[]
)
returns void
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_known app.contacts[] := array(
    select merged from unnest(p_merged) as merged where merged.id is not null
  );
  v_new app.contacts[] := array(
    select merged from unnest(p_merged) as merged where merged.id is null
  );
begin
  perform app.displace_primary(p_stored, p_merged);
  if v_known <> '{}' then
    perform app.update_contacts(v_known);
  end if;
  if v_new <> '{}' then
    perform app.insert_contacts(p_organization, v_new);
  end if;
end;
$$;

revoke all on function app.write_contacts(app.organizations, app.contacts[], app.contacts[])
from public;
grant execute on function app.write_contacts(app.organizations, app.contacts[], app.contacts[])
to svc_api;
comment on function app.write_contacts(app.organizations, app.contacts[], app.contacts[]) is
'Writes merged contacts of an organization; a new primary takes over.';
