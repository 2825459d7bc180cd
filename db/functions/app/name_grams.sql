-- Before tables: an index on organizations is made of it.
-- What a name is found by: its letters and its runs of two and three. Whatever is part of
-- the name has no run that the name hasn't.
create or replace function app.name_grams(p_name_key text)
returns text[]
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
begin
  return string_to_array(p_name_key, null)
    || app.letter_runs(p_name_key, 2)
    || app.letter_runs(p_name_key, 3);
end;
$$;

revoke all on function app.name_grams(text) from public;
grant execute on function app.name_grams(text) to svc_owner, svc_api, svc_search;
comment on function app.name_grams(text) is
'The letters of a name and its runs of two and three letters.';
