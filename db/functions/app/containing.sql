-- The pattern for a text as it is: its % and _ are signs like any other.
create or replace function app.containing(p_text text)
returns text
language sql
immutable
strict
parallel safe
set search_path = ''
as $$
  select '%' || regexp_replace(p_text, '([\\%_])', '\\\1', 'g') || '%';
$$;

revoke all on function app.containing(text) from public;
grant execute on function app.containing(text) to svc_search;
comment on function app.containing(text) is 'A pattern of like for what contains a text.';
