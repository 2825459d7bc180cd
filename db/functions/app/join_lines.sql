-- A sentence that was wrapped, as one line to be folded. A hyphen at a line's end joins
-- two halves of a word. An invisible space may stand within a word or between two, so
-- a text that holds one is read both ways.
create or replace function app.join_lines(p_text text)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  c_hyphen constant text := '([A-Za-z])[-\u00ad\u2010][ \t\r]*\n[ \t]*';
  c_invisible constant text := E'\u00ad\u200b\u200c\u200d\u2060\ufeff';
  v_text text collate pg_catalog."C" := p_text;
begin
  if strpos(v_text, E'\n') > 0 then
    v_text := regexp_replace(v_text, c_hyphen, '\1', 'g');
    v_text := replace(v_text, E'\n', ' ');
  end if;
  if translate(v_text, c_invisible, '') <> v_text then
    return v_text || ' ; ' || translate(v_text, c_invisible, '      ');
  end if;
  return v_text;
end;
$$;

revoke all on function app.join_lines(text) from public;

comment on function app.join_lines(text) is
  'A wrapped sentence as one line, for matching.';
