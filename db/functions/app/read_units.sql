-- The sentences and list lines of a note with their signs. Those that lie in one piece
-- were read already (app.read_note); a wrapped one, or one with an invisible space in
-- it, has to be read again as a whole. All of these in one go.
create or replace function app.read_units(p_notes text)
returns table (
  unit integer,
  body text,
  gap text,
  line_breaks integer,
  is_item boolean,
  signs text
)
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
begin
  return query
  with units as materialized (
    select * from app.note_units(p_notes)
  ),

  unread as (
    select
      units.unit,
      app.join_lines(units.body) as body,
      row_number() over (order by units.unit) as place
    from units
    where units.signs is null
  ),

  folded as (
    select
      app.note_signs(
        app.fold_note(
          string_agg(' ' || unread.body || ' ', E'\n' order by unread.place)
        )
      ) as lines
    from unread
  ),

  reread as (
    select unread.unit, line.signs
    from folded
    cross join string_to_table(folded.lines, E'\n')
      with ordinality as line (signs, place)
    inner join unread using (place)
  )

  select
    units.unit,
    units.body,
    units.gap,
    units.line_breaks,
    units.is_item,
    coalesce(units.signs, reread.signs)
  from units
  left join reread using (unit)
  order by units.unit;
end;
$$;

revoke all on function app.read_units(text) from public;

comment on function app.read_units(text) is
  'The sentences and list lines of a note with their signs.';
