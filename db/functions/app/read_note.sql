-- The pieces of a note with what the matching needs of each: how it begins, its folded
-- words, their signs, and whether it gives a value away by itself. All are folded in
-- one go, as lines of one text: much faster than one by one.
create or replace function app.read_note(p_notes text)
returns table (
  place integer,
  body text,
  gap text,
  line_breaks integer,
  is_ended boolean,
  is_item boolean,
  starts_small boolean,
  starts_large boolean,
  words text,
  signs text,
  is_guilty boolean
)
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  -- May stand before a first letter.
  c_marks constant text :=
    E' "''([{<*_-\u2018\u2019\u201c\u201d\u2010\u2013\u2014\u2022';
begin
  return query
  with split as materialized (
    select
      pieces.*,
      left(ltrim(normalize(left(pieces.body, 8), NFKC), c_marks), 1)
        collate pg_catalog."C" as letter
    from app.split_note(p_notes) as pieces
  ),

  folded as materialized (
    select
      app.fold_note(
        string_agg(' ' || split.body || ' ', E'\n' order by split.place)
      ) as lines
    from split
  )

  select
    split.place,
    split.body,
    split.gap,
    split.line_breaks,
    split.is_ended,
    split.is_item,
    split.letter between 'a' and 'z',
    split.letter between 'A' and 'Z',
    line.words,
    line.signs,
    line.signs ~ app.value_pattern()
  from folded
  cross join rows from (
    string_to_table(folded.lines, E'\n'),
    string_to_table(app.note_signs(folded.lines), E'\n')
  ) with ordinality as line (words, signs, place)
  inner join split
    on split.place = line.place
  order by split.place;
end;
$$;

revoke all on function app.read_note(text) from public;

comment on function app.read_note(text) is
  'The pieces of a note with their folded words, their signs and their guilt.';
