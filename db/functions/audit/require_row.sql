-- Some row of a tenant in a table, made when there is none. Raises what the table said when
-- none can be made.
create or replace function audit.require_row(p_relation oid, p_tenant uuid, p_depth integer default 0)
returns jsonb
language plpgsql
volatile
set search_path = ''
as $$
begin
  return coalesce(
    audit.find_row(p_relation, p_tenant),
    audit.make_row(p_relation, p_tenant, p_depth)
  );
end;
$$;

revoke all on function audit.require_row(oid, uuid, integer) from public;
comment on function audit.require_row(oid, uuid, integer) is
'Some row of a tenant in a table, as JSON, made when there is none.';
