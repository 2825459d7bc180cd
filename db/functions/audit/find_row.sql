-- Some row of a tenant in a table, or null; of any tenant where the table names none. Its
-- place (ctid) comes with it, to find it again in a table of any size.
create or replace function audit.find_row(p_relation oid, p_tenant uuid)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_column constant name := audit.tenant_column(p_relation);
  v_row jsonb;
begin
  execute format(
    'select to_jsonb(found) || jsonb_build_object(''ctid'', found.ctid) from %s as found
    where %s limit 1',
    p_relation::regclass,
    case when v_column is null then 'true' else format('found.%I = %L', v_column, p_tenant) end
  ) into v_row;
  return v_row;
end;
$$;

revoke all on function audit.find_row(oid, uuid) from public;
comment on function audit.find_row(oid, uuid) is 'Some row of a tenant in a table, as JSON, or null.';
