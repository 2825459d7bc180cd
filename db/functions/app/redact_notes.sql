create or replace function app.redact_notes(p_notes text)
returns text
language sql
immutable
set search_path = ''
as $$
  select p_notes;
$$;

revoke all on function app.redact_notes(text) from public;
grant execute on function app.redact_notes(text) to svc_api, svc_office;
