-- One pass of app.redact_notes. Where something is taken out between two sentences
-- that stay, one of the gaps around it stays with them: the one with the most line
-- breaks, so that paragraphs neither merge nor drift apart. A note that loses nothing
-- comes back as it was.
create or replace function app.redact_notes_once(p_notes text)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  v_unit record;
  v_kept text := '';
  -- What stands between the last sentence that stayed and the next one.
  v_gap text := '';
  v_line_breaks integer := 0;
  v_loses boolean := false;
begin
  for v_unit in
    select * from app.judge_note(p_notes) as judged order by judged.unit
  loop
    if v_unit.is_removed then
      v_loses := true;
      if v_unit.line_breaks >= v_line_breaks then
        v_gap := v_unit.gap;
        v_line_breaks := v_unit.line_breaks;
      end if;
    else
      v_kept := case
        when v_unit.unit = 1 then left(p_notes, strpos(p_notes, v_unit.body) - 1)
        when v_kept <> '' then v_kept || v_gap
        else ''
      end || v_unit.body;
      v_gap := v_unit.gap;
      v_line_breaks := v_unit.line_breaks;
    end if;
  end loop;

  return case
    when not v_loses then p_notes
    when v_unit.is_removed then v_kept
    else v_kept || v_gap
  end;
end;
$$;

revoke all on function app.redact_notes_once(text) from public;

comment on function app.redact_notes_once(text) is
  'A note without the sentences and list lines that one reading finds.';
