-- What came of one attack. Reaching must touch no row, and an error other than a refused right
-- means that a row was reached. Writing must fail, whether a policy or a key refuses;
-- "already taken" tells of another's row. Running out of time or locks says nothing.
create or replace function audit.judge(
  p_command text,
  p_state text,
  p_has_touched boolean,
  p_has_rows boolean,
  p_is_trusted boolean
)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when p_state = '42501' then 'refused'
    when p_state ~ '^(40|53|55|57)' then 'untested'
    when p_command in ('truncate', 'reference', 'disable row security')
      then case when p_state = '42809' then 'refused' else 'LEAK' end
    when p_state = '00000' and p_has_touched and p_command <> 'find out by a unique key'
      then case when p_is_trusted then 'by design' else 'LEAK' end
    when not p_has_rows then 'untested'
    when p_command in ('update', 'delete') and p_state <> '00000'
      then case when p_is_trusted then 'by design' else 'LEAK' end
    when p_command = 'find out by a unique key' and p_state = '23505' then 'LEAK'
    else 'refused'
  end;
$$;

revoke all on function audit.judge(text, text, boolean, boolean, boolean) from public;
comment on function audit.judge(text, text, boolean, boolean, boolean) is
'Outcome of an attack: refused, LEAK, by design, or untested.';
