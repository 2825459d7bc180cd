-- How many rows a tenant has in a table.
create or replace function audit.count_rows(p_relation oid, p_tenant uuid)
returns integer
language plpgsql
stable
set search_path = ''
as $$
declare
  v_count integer;
begin
  execute format(
    'select count(*) from %s where %I = %L',
    p_relation::regclass,
    audit.tenant_column(p_relation),
    p_tenant
  ) into v_count;
  return v_count;
end;
$$;

revoke all on function audit.count_rows(oid, uuid) from public;
comment on function audit.count_rows(oid, uuid) is 'Number of rows of a tenant in a table.';
