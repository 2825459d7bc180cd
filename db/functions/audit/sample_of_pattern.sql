-- A text that a simple regular expression accepts: literals, classes, groups, the first of
-- several alternatives, counted and open repetitions. The salt chooses within the first range
-- of a class. What it can't read it gives back half-read; the row is then refused by its
-- check, and the proof says so.
create or replace function audit.sample_of_pattern(p_pattern text, p_salt text)
returns text
language plpgsql
immutable
strict
set search_path = ''
as $$
declare
  -- Escaped signs stand as letters of a private alphabet until the end.
  c_signs constant text := '()[]{}.?*+|^$/\-';
  c_shields constant text := U&'\E000\E001\E002\E003\E004\E005\E006\E007\E008\E009\E00A\E00B\E00C\E00D\E00E\E00F';
  v_text text := p_pattern;
  v_before text;
  v_class text;
begin
  for v_at in 1..length(c_signs) loop
    v_text := replace(v_text, '\' || substr(c_signs, v_at, 1), substr(c_shields, v_at, 1));
  end loop;
  v_text := regexp_replace(v_text, '\[\^[^]]*\]', '~', 'g');
  v_text := regexp_replace(v_text, '\[([^]]*)\\[wd]', '[0-9\1', 'g');
  v_text := regexp_replace(v_text, '\[([^]]*)\.', '[\1' || translate('.', c_signs, c_shields), 'g');
  v_text := regexp_replace(v_text, '\\d', '[0-9]', 'g');
  v_text := regexp_replace(v_text, '\\w|\\m|\\M|\.', '[a-z]', 'g');
  v_text := regexp_replace(v_text, '\\s', ' ', 'g');
  for v_class in select part[1] from regexp_matches(v_text, '(\[[^]]*\])', 'g') as part loop
    v_text := regexp_replace(
      v_text,
      '\[[^]]*\]',
      audit.sample_of_class(v_class, p_salt || length(v_text))
    );
  end loop;

  loop
    v_before := v_text;
    v_text := regexp_replace(v_text, '(\([^()]*\)|[^()])(\?|\*|\{0[0-9,]*\})', '', 'g');
    v_text := regexp_replace(v_text, '(\([^()]*\)|[^()])\+', '\1', 'g');
    v_text := audit.repeat_counted(v_text);
    v_text := regexp_replace(v_text, '\((\?:)?([^()|]*)(\|[^()]*)?\)(?![?*+{])', '\2');
    exit when v_text = v_before;
  end loop;

  v_text := regexp_replace(split_part(v_text, '|', 1), '[\^$]', '', 'g');
  return translate(v_text, c_shields, c_signs);
end;
$$;

revoke all on function audit.sample_of_pattern(text, text) from public;
comment on function audit.sample_of_pattern(text, text) is 'A text that matches a simple regular expression.';
