-- The column that names the tenant. In app.tenants itself a new row is another tenant's.
create or replace function audit.fixed_values(p_relation oid, p_tenant uuid)
returns jsonb
language sql
volatile
set search_path = ''
as $$
  select case
    when p_relation = to_regclass('app.tenants') then jsonb_build_object('id', gen_random_uuid())
    when audit.tenant_column(p_relation) is null then '{}'
    else jsonb_build_object(audit.tenant_column(p_relation), p_tenant)
  end;
$$;

revoke all on function audit.fixed_values(oid, uuid) from public;
comment on function audit.fixed_values(oid, uuid) is 'What makes a new row the tenant''s.';
