-- Who writes organizations takes these locks first: for the keys that the bodies hold,
-- then for the rows that have these keys or ids. Keys before rows, each in one order
-- everywhere: whoever waits, waits for somebody further on. A batch takes all of its
-- locks at once. What is read before the locks doesn't count: read in a later statement.
create or replace function app.lock_organizations(
  p_bodies jsonb[],
  p_ids uuid[] default '{}'
)
returns void
language plpgsql
volatile
set search_path = ''
as $$
begin
  perform app.lock_keys(array(
    select unnest(app.organization_keys(body)) from unnest(p_bodies) as body
  ));
  perform app.lock_organization_rows(p_bodies, p_ids);
end;
$$;

revoke all on function app.lock_organizations(jsonb[], uuid[]) from public;
grant execute on function app.lock_organizations(jsonb[], uuid[]) to svc_api;
comment on function app.lock_organizations(jsonb[], uuid[]) is
'Locks the keys of organizations as sent, and the rows with these keys or ids, in order.';
