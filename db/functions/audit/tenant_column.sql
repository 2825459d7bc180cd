-- The column by which a table names its rows' tenant, or null.
create or replace function audit.tenant_column(p_relation oid)
returns name
language sql
stable
set search_path = ''
as $$
  select case
    when p_relation::regclass::text = 'app.tenants' then 'id'
    else coalesce(
      (
        select attname
        from pg_attribute
        where attrelid = p_relation and attname = 'tenant_id' and not attisdropped
      ),
      (
        select min(attname)
        from pg_constraint
        inner join pg_attribute on attrelid = conrelid and attnum = conkey[1]
        where
          contype = 'f'
          and conrelid = p_relation
          and confrelid::regclass::text = 'app.tenants'
      )
    )
  end;
$$;

revoke all on function audit.tenant_column(oid) from public;
grant execute on function audit.tenant_column(oid) to svc_auditor;
comment on function audit.tenant_column(oid) is 'Column that names the tenant of a table''s rows, or null.';
