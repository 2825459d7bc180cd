-- Cuts a note into pieces that no sentence end and no line break runs through, with
-- the blanks behind each piece: put together again they are the note, character for
-- character, but for leading blanks. A list line is one piece, however many sentences
-- it has. Whether a piece goes on behind a line break is left to app.note_units.
create or replace function app.split_note(p_notes text)
returns table (
  place integer,
  body text,
  gap text,
  line_breaks integer,
  is_ended boolean,
  is_item boolean
)
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  c_blank constant text :=
    '\x01\t-\r \u0085\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000'
    '\ufeff';
  c_line_break constant text := '\r\n|[\n\r\v\f\u0085\u2028\u2029]';
  c_bullets constant text :=
    E'\u2022\u2023\u2043\u2219\u25a0\u25aa\u25ab\u25b6'
    '\u25ba\u25cb\u25cf\u25e6\u2713\u2714\u27a2';
  c_marker constant text :=
    '^([' || c_bullets || ']|[-*+>\u00b7\u2010-\u2015\u2212]+$'
    '|[-*\u2010-\u2015\u2212][A-Za-z]'
    '|[(]?([0-9]{1,2}|[A-Za-z])[)]|[0-9]{1,2}[.]([A-Za-z]|$))';
  c_stops constant text :=
    E'.!?\u2026\u3002\uff01\uff0e\uff1f\uff61\u203c\u2047\u2048\u2049';
  -- A full stop that no space follows ("first.The") gets a mark, unless it is part of
  -- an address on the web. A note that holds the mark itself goes without.
  c_glued constant text :=
    '([a-z0-9]{2}[.!?](?<!www[.])(?=[A-Z][a-z])(?!Com|Net|Org|Gov)|\u3002)';
  c_mark constant text := E'\x01';
  v_mark constant text := case when strpos(p_notes, c_mark) > 0 then '' else c_mark end;
  v_starts_line boolean := true;
  v_word record;
begin
  place := 1;
  body := '';
  for v_word in
    select
      found.part[1] as word,
      found.part[2] as gap,
      lead(found.part[1]) over (order by found.place) as next_word
    from regexp_matches(
      regexp_replace(p_notes collate pg_catalog."C", c_glued, '\1' || v_mark, 'g'),
      '([^' || c_blank || ']+)([' || c_blank || ']*)',
      'g'
    ) with ordinality as found (part, place)
    order by found.place
  loop
    gap := translate(v_word.gap, v_mark, '');
    line_breaks := case when gap = ' ' then 0 else regexp_count(gap, c_line_break) end;
    is_item := case when v_starts_line then v_word.word ~ c_marker else is_item end;
    is_ended := translate(v_word.word, c_stops, '') <> v_word.word
      and app.ends_sentence(v_word.word, v_word.next_word);
    body := body || v_word.word;
    v_starts_line := line_breaks > 0
      or strpos(c_bullets, left(v_word.next_word, 1)) > 0
      or v_word.next_word is null;

    if v_starts_line or is_ended and not is_item then
      return next;
      place := place + 1;
      body := '';
    else
      body := body || gap;
    end if;
  end loop;
end;
$$;

revoke all on function app.split_note(text) from public;

comment on function app.split_note(text) is
  'The pieces of a note between sentence ends and line breaks, with their blanks.';
