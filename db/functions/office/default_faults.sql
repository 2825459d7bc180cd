-- A tenant has one default appraiser: a second one in a file is a fault. Cells are
-- still text that may not be a boolean.
create or replace function office.default_faults(p_rows jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select coalesce(
    jsonb_agg(office.import_fault(
      chosen.line,
      'is_default',
      'duplicate',
      format('line %s has the default appraiser already', chosen.first_line)
    )),
    '[]'
  )
  from (
    select given.line, min(given.line) over () as first_line
    from jsonb_to_recordset(p_rows) as given (line integer, is_default text)
    where lower(given.is_default) in ('true', '1', 'yes')
  ) as chosen
  where chosen.line > chosen.first_line;
$$;

revoke all on function office.default_faults(jsonb) from public;
grant execute on function office.default_faults(jsonb) to svc_office;
comment on function office.default_faults(jsonb) is
'Faults of rows that name a second default appraiser.';
