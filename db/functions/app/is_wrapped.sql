-- Whether the words themselves say that a line goes on in the next one: it can't end
-- as it does ("the value is about", a comma), the next can't begin as it does ("that
-- was told"), or it reached the margin. A small letter alone says nothing, since many
-- people write whole lists without a capital.
create or replace function app.is_wrapped(
  p_line text,
  p_line_words text,
  p_next text,
  p_next_words text,
  p_next_starts_small boolean,
  p_is_guilty boolean
)
returns boolean
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  c_unfinished constant text[] := string_to_array(
    'the a an of is are was were be been at for with from to and or but than that'
    ' as if about around approx approximately roughly nearly almost between per by'
    ' into est estimated assessed appraised market mkt taxable fair current his her'
    ' their your my our its says said has have had will would could should may'
    ' might very more less because since while which who in on last this least what'
    ' when after before tax fort ft',
    ' '
  );
  c_continues constant text[] := string_to_array(
    'of that which who whose and or but nor so because since while is are was were'
    ' be been has have had will would could should may might than where although'
    ' though dollars thousand million',
    ' '
  );
  -- As much the beginning of a line of its own, so only behind a value.
  c_continues_value constant text[] := string_to_array(
    'at for with from to by as on in per about around approximately roughly based'
    ' according including until unless into over under between worth',
    ' '
  );
  c_open_marks constant text := '(/&+$';
  c_pauses constant text := E'-,:;.\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2026';
  -- Who breaks a line this far out has come to the margin, not to an end.
  c_margin constant integer := 50;
  v_first_word constant text := split_part(p_next_words, ' ', 2);
begin
  if split_part(p_line_words, ' ', -2) = any(c_unfinished)
    or strpos(c_open_marks, right(p_line, 1)) > 0
  then
    return true;
  elsif v_first_word = any(c_continues)
    or p_is_guilty and v_first_word = any(c_continues_value)
  then
    -- Or in capitals, like the line before.
    return p_next_starts_small or upper(p_line || p_next) = p_line || p_next;
  elsif strpos(c_pauses, right(p_line, 1)) > 0 then
    return p_next_starts_small or p_next_words ~ '^ (#[vs]|[0-9])';
  end if;
  return p_next_starts_small and char_length(p_line) >= c_margin;
end;
$$;

revoke all on function app.is_wrapped(text, text, text, text, boolean, boolean)
from public;

comment on function app.is_wrapped(text, text, text, text, boolean, boolean) is
  'Whether a line, with its folded words, goes on in the next.';
