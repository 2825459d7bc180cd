-- Rows that say again what an earlier row of the file said: which one should count?
-- A row whose key is null has another fault already.
create or replace function office.repeat_faults(p_keys jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select coalesce(
    jsonb_agg(office.import_fault(
      repeated.line,
      repeated.column,
      'duplicate',
      format('the same as on line %s', repeated.first_line)
    )),
    '[]'
  )
  from (
    select
      given.line,
      given.column,
      min(given.line) over (partition by given.key) as first_line
    from jsonb_to_recordset(p_keys) as given (line integer, "column" text, key text)
    where given.key is not null
  ) as repeated
  where repeated.line > repeated.first_line;
$$;

revoke all on function office.repeat_faults(jsonb) from public;
grant execute on function office.repeat_faults(jsonb) to svc_office;
comment on function office.repeat_faults(jsonb) is
'Faults of {line, column, key} whose key an earlier line has.';
