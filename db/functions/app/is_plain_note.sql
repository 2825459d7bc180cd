-- Most notes are small talk ("Please call before the visit."), and reading a note in full
-- takes longer than all else that a request does. A plain note has only letters and
-- everyday punctuation, so no word can hide in it, and nothing that a word for a value or a
-- figure begins with; without any of these app.value_pattern matches nothing. It may say
-- no to a harmless note, which then is read in full, and must never say yes to another.
create or replace function app.is_plain_note(p_notes text)
returns boolean
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
declare
  c_unusual constant text := '[^a-z ,.!?''\r\n]';
  -- Letters that stand alone make up a word ("v a l u e"), also behind an apostrophe.
  c_spelled constant text := '(^|[^a-z])[a-z](''|[^a-z]+[a-z]([^a-z]|$))';
  -- The words of app.note_vocabulary with the signs v u n d w z t a s e m V, and those
  -- that app.fold_phrases and app.fold_figures make such words of.
  c_telling constant text :=
    'val|vaul|vlau|worth|tax|asses|ases|assd|ppra|apra|apprd|apprs|appri|estim|estm|etim'
    '|market|mkt|mrkt|marekt|hundred|thousand|million|figure|avm|zest|zil|redfin|realtor'
    '|homes|bpo|bov|fmv|arv|emv|cma|opinion|(^|[^a-z])est';
  v_notes text collate pg_catalog."C" := lower(p_notes collate pg_catalog."C");
begin
  return v_notes ~ '[a-z]'
    and v_notes !~ c_unusual
    and v_notes !~ c_spelled
    and replace(v_notes, '''', '') !~ c_telling;
end;
$$;

revoke all on function app.is_plain_note(text) from public;

comment on function app.is_plain_note(text) is
  'Whether a note can be told at a glance to give no property''s value away.';
