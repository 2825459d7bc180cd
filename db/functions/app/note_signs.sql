-- Each word of folded lines as the sign for its part, so that a sentence becomes a
-- short string that app.value_pattern can judge. Bare digits go by their number:
-- W five to eight, N three or four, Y a year, T any other. A figure that a fee, a loan,
-- a price, a rent or a tax owns ("loan amount is about $300,000") is struck out as "~".
create or replace function app.note_signs(p_lines text)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  c_owned constant text :=
    '([oOrt]([LABCFHIKMPQqYke]*,?|[LABCFHIKMPQqYkes]*(?=S)))[VWSN]';
  v_signs text collate pg_catalog."C";
begin
  select
    string_agg(
      case
        when words.word = E'\n' then words.word
        when left(words.word, 1) not between '0' and '9'
        then coalesce(app.note_vocabulary() ->> words.word, 'x')
        when char_length(words.word) between 5 and 8 then 'W'
        when char_length(words.word) = 4 and left(words.word, 2) in ('19', '20')
        then 'Y'
        when char_length(words.word) in (3, 4) then 'N'
        else 'T'
      end,
      ''
      order by words.place
    )
  into v_signs
  from (
    select split.word collate pg_catalog."C", split.place
    from string_to_table(app.fold_phrases(p_lines), ' ')
      with ordinality as split (word, place)
    where split.word <> ''
  ) as words;

  return regexp_replace(v_signs, c_owned, '\1~', 'g');
end;
$$;

revoke all on function app.note_signs(text) from public;

comment on function app.note_signs(text) is
  'Folded lines as strings of signs, one sign for each word.';
