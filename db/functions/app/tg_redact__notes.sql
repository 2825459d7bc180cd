-- Value language never reaches a table, whoever writes.
create or replace function app.tg_redact__notes()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.notes := app.redact_notes(new.notes);
  return new;
end;
$$;

revoke all on function app.tg_redact__notes() from public;
grant execute on function app.tg_redact__notes() to svc_owner;
comment on function app.tg_redact__notes() is
'Trigger: removes value language from notes before they are saved.';
