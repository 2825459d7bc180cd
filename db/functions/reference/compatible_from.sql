-- A release works on every schema that has this migration's effect and no later break.
-- A migration that takes away what the release before it still uses names itself here;
-- all others leave it, so that two releases run side by side during an upgrade.
create or replace function reference.compatible_from()
returns text
language sql
immutable
parallel safe
set search_path = ''
as $$
  select '20261101000000';
$$;

revoke all on function reference.compatible_from() from public;
grant execute on function reference.compatible_from() to svc_api, svc_worker;
comment on function reference.compatible_from() is
'The oldest migration that a release must know to work on this schema.';
