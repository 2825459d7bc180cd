-- What an import did, counted in rows.
create or replace function office.import_summary(
  p_rows jsonb,
  p_created bigint,
  p_updated bigint,
  p_deleted bigint default 0
)
returns json
language sql
immutable
parallel safe
set search_path = ''
as $$
  select json_build_object(
    'rows', jsonb_array_length(p_rows),
    'created', p_created,
    'updated', p_updated,
    'unchanged', jsonb_array_length(p_rows) - p_created - p_updated,
    'deleted', p_deleted
  );
$$;

revoke all on function office.import_summary(jsonb, bigint, bigint, bigint) from public;
grant execute on function office.import_summary(jsonb, bigint, bigint, bigint) to svc_office;
comment on function office.import_summary(jsonb, bigint, bigint, bigint) is
'Rows of the file, and how many of them were created, updated or left as they were.';
