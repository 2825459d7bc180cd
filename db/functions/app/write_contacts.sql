-- Writes merged contacts: those that were there, which may give an e-mail free, before
-- those that are new.
create or replace function app.write_contacts(p_contacts app.contacts[])
returns void
language plpgsql
volatile
set search_path = ''
as $$
begin
  if p_contacts = '{}' then
    return;
  end if;

  perform app.displace_primary(p_contacts);
  perform app.update_contacts(array(
    select merged from unnest(p_contacts) as merged where merged.id is not null
  ));
  perform app.insert_contacts(array(
    select merged from unnest(p_contacts) as merged where merged.id is null
  ));
end;
$$;

revoke all on function app.write_contacts(app.contacts[]) from public;
grant execute on function app.write_contacts(app.contacts[]) to svc_api;
comment on function app.write_contacts(app.contacts[]) is
'Writes merged contacts of organizations; a new primary takes over.';
