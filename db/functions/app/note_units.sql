-- The sentences and list lines of a note. The work is to tell a sentence that was
-- wrapped from two lines of their own. Besides what app.is_wrapped reads, a line goes
-- on in the next when prose says so (a capital or another sentence before it, a small
-- letter here, a full stop later), or when a value shows, or finds its figure, only in
-- both together. Without signs come those that have to be read again as a whole.
create or replace function app.note_units(p_notes text)
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
declare
  -- Stand within a word or between two (app.join_lines).
  c_invisible constant text := E'\u00ad\u200b\u200c\u200d\u2060\ufeff';
  v_piece record;
  v_before record;
  v_goes_on boolean;
  v_pattern constant text := app.value_pattern();
begin
  unit := 0;
  for v_piece in
    with pieces as (
      select
        read.*,
        not read.is_item
          and lag(read.line_breaks = 1 and not read.is_ended, 1, false)
            over (order by read.place) as may_go_on,
        lag(read.line_breaks, 1, 1) over (order by read.place) = 0 as starts_inside
      from app.read_note(p_notes) as read
    ),

    runs as (
      select
        pieces.*,
        count(*) filter (where not (pieces.may_go_on and pieces.starts_small))
          over (order by pieces.place) as run
      from pieces
    )

    select
      runs.*,
      bool_or(runs.starts_large or runs.starts_inside) over (partition by runs.run)
        and bool_or(runs.is_ended) over (partition by runs.run) as is_prose
    from runs
    order by runs.place
  loop
    v_goes_on := false;
    if v_piece.may_go_on then
      v_goes_on := app.is_wrapped(
          v_before.body,
          v_before.words,
          v_piece.body,
          v_piece.words,
          v_piece.starts_small,
          v_before.is_guilty
        )
        -- Prose, unless a number ends that line or a label begins this one.
        or v_piece.is_prose and v_piece.starts_small
        and strpos('0123456789', right(v_before.body, 1)) = 0
        and strpos(split_part(v_piece.body, ' ', 1), ':') = 0
        and strpos(split_part(v_piece.body, ' ', 2), ':') = 0
        -- The second line of a list line.
        or v_before.is_item and right(v_before.gap, 1) in (' ', E'\t')
        or v_before.is_guilty and v_before.signs !~ '[VWSN]'
        and v_piece.signs
          ~ case when v_piece.starts_small then '[VWS]' else '^[VWSN]' end
        or right(v_before.signs, 1) in ('e', 'a', 's', 'm', 't', 'b')
        and left(v_piece.signs, 1) in ('v', 'u', 'n')
        or not v_before.is_guilty and not v_piece.is_guilty
        and (v_before.signs || v_piece.signs) ~ v_pattern;
    end if;

    if v_goes_on then
      body := body || gap || v_piece.body;
      signs := null;
    else
      if unit > 0 then
        return next;
      end if;
      unit := unit + 1;
      body := v_piece.body;
      is_item := v_piece.is_item;
      signs := case
        when translate(body, c_invisible, '') = body then v_piece.signs
      end;
    end if;
    gap := v_piece.gap;
    line_breaks := v_piece.line_breaks;
    v_before := v_piece;
  end loop;

  if unit > 0 then
    return next;
  end if;
end;
$$;

revoke all on function app.note_units(text) from public;

comment on function app.note_units(text) is
  'The sentences and list lines of a note, with the blanks behind each.';
