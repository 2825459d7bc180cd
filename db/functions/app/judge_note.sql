-- Which sentences and list lines have to go: those that give a value away, and those
-- that hold the figure of one: an answer ("Zestimate? 455k."), "It says 455k", the
-- lines below a heading, or a figure ahead of "That's the Zestimate".
create or replace function app.judge_note(p_notes text)
returns table (
  unit integer,
  body text,
  gap text,
  line_breaks integer,
  is_removed boolean
)
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  -- Nothing but a figure, hedged or not.
  c_bare constant text :=
    '^[LABCFHIKMPQqYkepT,]*[VWSN][LABCFHIKMPQqYkepTVWSN,]*$';
  -- Small talk up to a figure, or talk of "it" with a figure.
  c_leaning constant text := '^([LABCFHIKMPQqYkepTj,]*V(?![oO])|[qM][^~;]*[VW])';
  -- "That's", "per", "the", a source: the figure came before.
  c_names_it constant text := '^L*[qFz]';
  v_pattern constant text := app.value_pattern();
  v_unit record;
  -- The last sentence that isn't merely the figure of one before.
  v_head_is_removed boolean := false;
  v_head_wants_figure boolean;
  v_head_announces boolean;
begin
  for v_unit in
    select
      units.*,
      lead(units.signs, 1, '') over in_order as next_signs,
      lead(units.signs, 2, '') over in_order as second_next_signs
    from app.read_units(p_notes) as units
    window in_order as (order by units.unit)
    order by units.unit
  loop
    unit := v_unit.unit;
    body := v_unit.body;
    gap := v_unit.gap;
    line_breaks := v_unit.line_breaks;
    is_removed := v_unit.signs ~ v_pattern;

    if not is_removed and v_head_is_removed and (
      v_unit.signs ~ c_bare and (v_head_wants_figure or v_unit.signs ~ '[VWS]')
      or v_unit.signs ~ c_leaning and v_head_wants_figure
      or v_unit.signs ~ '[VWS]' and v_unit.is_item and v_head_announces
    ) then
      is_removed := true;
      v_head_wants_figure := false;
    else
      is_removed := is_removed
        -- "The value? 450k." gives it away together only.
        or v_unit.next_signs ~ c_bare
        and v_unit.next_signs !~ v_pattern
        and (v_unit.signs || v_unit.next_signs) ~ v_pattern
        or v_unit.signs ~ '[VWS]'
        and v_unit.next_signs ~ v_pattern
        and v_unit.next_signs !~ '[VWSN]'
        and v_unit.second_next_signs !~ c_bare
        and (
          v_unit.signs ~ c_bare and (v_unit.unit = 1 or v_unit.next_signs ~ c_names_it)
          or v_unit.next_signs ~ '^q' and not v_unit.is_item
        );
      v_head_is_removed := is_removed;
      v_head_wants_figure := v_unit.signs !~ '[VWSN]';
      v_head_announces := rtrim(v_unit.body, ' *_-') like '%:';
    end if;
    return next;
  end loop;
end;
$$;

revoke all on function app.judge_note(text) from public;

comment on function app.judge_note(text) is
  'The sentences and list lines of a note, and which of them have to go.';
