-- Notes travel to people who must not be swayed by a figure, so no note may hold what a
-- property is worth, by anyone's opinion. Whole sentences and list lines go, with their
-- figures; all else stays character for character. Nothing left is null. What is taken
-- out may bring together what was apart, so a note is read until nothing more is found.
create or replace function app.redact_notes(p_notes text)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  -- A note that still changes was made to; then nothing of it stays.
  c_most_passes constant integer := 5;
  c_blanks constant text :=
    E' \t\n\r\v\f\u0085\u00a0\u2007\u2009\u200b\u2028\u2029\u202f\u3000\ufeff';
  c_nothing constant text :=
    '^[\x01-\x2f:-@[-`{-\xbf\u2000-\u206f\u20a0-\u20bf\u2190-\u25ff\u3000-\u303f'
    '\ufeff]*$';
  v_notes text collate pg_catalog."C" := p_notes;
  v_before text;
begin
  if app.is_plain_note(v_notes) then
    return v_notes;
  end if;

  for v_pass in 1..c_most_passes loop
    v_before := v_notes;
    v_notes := app.redact_notes_once(v_before);
    if v_notes = v_before then
      return case
        when btrim(v_notes, c_blanks) = '' then null
        when v_pass > 1 and v_notes ~ c_nothing then null
        else v_notes
      end;
    end if;
  end loop;
  return null;
end;
$$;

revoke all on function app.redact_notes(text) from public;

comment on function app.redact_notes(text) is
  'A note without the sentences that give a property''s value away, or null.';
