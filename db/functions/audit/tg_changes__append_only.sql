-- History can't be changed or removed, not by its owner and not by the administrator,
-- as long as this trigger stands.
create or replace function audit.tg_changes__append_only()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  raise exception using
    errcode = 'insufficient_privilege',
    message = 'The history of changes is append-only.';
end;
$$;

revoke all on function audit.tg_changes__append_only() from public;
grant execute on function audit.tg_changes__append_only() to svc_owner;
comment on function audit.tg_changes__append_only() is 'Trigger: refuses to change or remove history.';
