-- Value language never reaches a table, whoever writes. Security definer, so that writers
-- need no right to the parts that the redaction is made of; it changes new.notes alone.
create or replace function app.tg_redact__notes()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  new.notes := app.redact_notes(new.notes);
  return new;
end;
$$;

alter function app.tg_redact__notes() owner to svc_owner;
revoke all on function app.tg_redact__notes() from public;
grant execute on function app.tg_redact__notes() to svc_owner;
comment on function app.tg_redact__notes() is
'Trigger: removes value language from notes before they are saved.';
