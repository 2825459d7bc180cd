-- Before tables: an index on organizations is made of it.
-- What a name is found by: its letters and its pairs of letters. Whatever is part of
-- the name has no pair that the name hasn't.
create or replace function app.name_grams(p_name_key text)
returns text[]
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
begin
  return string_to_array(p_name_key, null) || app.letter_pairs(p_name_key);
end;
$$;

revoke all on function app.name_grams(text) from public;
grant execute on function app.name_grams(text) to svc_owner, svc_api, svc_search;
comment on function app.name_grams(text) is 'The letters and pairs of letters of a name.';
