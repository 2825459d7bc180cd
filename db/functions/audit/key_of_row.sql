-- Before tables: the history's trigger calls it.
-- The primary key of a watched row without its tenant, as text. More than one column is
-- joined by a slash.
create or replace function audit.key_of_row(p_table regclass, p_row jsonb)
returns text
language sql
stable
set search_path = ''
as $$
  select string_agg(p_row ->> attname, '/' order by array_position(indkey::int2[], attnum))
  from pg_index
  inner join pg_attribute on attrelid = indrelid and attnum = any(indkey)
  where indrelid = p_table and indisprimary and attname <> 'tenant_id';
$$;

revoke all on function audit.key_of_row(regclass, jsonb) from public;
grant execute on function audit.key_of_row(regclass, jsonb) to svc_audit;
comment on function audit.key_of_row(regclass, jsonb) is 'Primary key of a watched row, as text.';
