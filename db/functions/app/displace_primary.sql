-- A new primary contact takes over: the old one goes first, because there is never more
-- than one.
create or replace function app.displace_primary(
  p_stored app.contacts[],
  p_merged app.contacts[]
)
returns void
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_displaced_id uuid := (
    select stored.id
    from unnest(p_stored) as stored
    inner join unnest(p_merged) as merged on merged.id is distinct from stored.id
    where stored.is_primary and merged.is_primary
  );
begin
  if v_displaced_id is not null then
    update app.contacts set is_primary = false where contacts.id = v_displaced_id;
  end if;
end;
$$;

revoke all on function app.displace_primary(app.contacts[], app.contacts[]) from public;
grant execute on function app.displace_primary(app.contacts[], app.contacts[]) to svc_api;
comment on function app.displace_primary(app.contacts[], app.contacts[]) is
'Unsets the primary contact whose place a merged one takes.';
