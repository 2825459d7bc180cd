-- Before tables: an index on organizations is made of it.
-- Each two letters that stand side by side in a text; the lone letter of a text that
-- has no more. Two passes, from the first letter and from the second, see every pair;
-- built-in functions do it in a tenth of the time that a loop takes.
create or replace function app.letter_pairs(p_text text)
returns text[]
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  c_mark constant text := E'\x1f';
  c_pair constant text := '(..)';
begin
  return array_remove(
    string_to_array(regexp_replace(p_text, c_pair, '\1' || c_mark, 'g'), c_mark)
    || string_to_array(regexp_replace(substr(p_text, 2), c_pair, '\1' || c_mark, 'g'), c_mark),
    ''
  );
end;
$$;

revoke all on function app.letter_pairs(text) from public;
grant execute on function app.letter_pairs(text) to svc_owner, svc_api, svc_search;
comment on function app.letter_pairs(text) is 'The pairs of neighbouring letters of a text.';
