-- Every cell of a file that can't be what its column says.
create or replace function office.cell_faults(p_file text, p_rows jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select coalesce(
    jsonb_agg(
      office.import_fault((given.cells ->> 'line')::integer, columns.name, fault[1], fault[2])
      order by given.place, columns.place
    ),
    '[]'
  )
  from jsonb_array_elements(p_rows) with ordinality as given (cells, place)
  cross join office.import_columns(p_file) with ordinality
    as columns (name, kind, is_required, maximum, place)
  cross join lateral office.cell_fault(
    given.cells ->> columns.name,
    columns.kind,
    columns.is_required,
    columns.maximum
  ) as fault
  where fault is not null;
$$;

revoke all on function office.cell_faults(text, jsonb) from public;
grant execute on function office.cell_faults(text, jsonb) to svc_office;
comment on function office.cell_faults(text, jsonb) is
'Faults of single cells of products, appraisers, coverage, fees or orders, as an array.';
