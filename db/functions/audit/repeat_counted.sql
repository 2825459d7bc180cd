-- One step of audit.sample_of_pattern: the first `x{3}` or `(xy){3,5}` written out.
create or replace function audit.repeat_counted(p_text text)
returns text
language sql
immutable
strict
set search_path = ''
as $$
  select coalesce(
    (
      select
        replace(
          p_text,
          found[1],
          repeat(regexp_replace(found[2], '^\((?:\?:)?(.*)\)$', '\1'), found[3]::integer)
        )
      from regexp_match(p_text, '((\([^()|]*\)|[^()])\{([0-9]+)[0-9,]*\})') as found
      where found is not null
    ),
    p_text
  );
$$;

revoke all on function audit.repeat_counted(text) from public;
comment on function audit.repeat_counted(text) is 'Writes out the first counted repetition of a pattern.';
