-- Before tables: the history's trigger calls it.
-- The tenant that a watched row belongs to. Zeros stand for the whole deployment, for
-- example an analyst's token, so that the history's tenant is never null.
create or replace function audit.tenant_of_row(p_table regclass, p_row jsonb)
returns uuid
language sql
stable
set search_path = ''
as $$
  select coalesce(
    case when p_table::text = 'app.tenants' then p_row ->> 'id' else p_row ->> 'tenant_id' end,
    '00000000-0000-0000-0000-000000000000'
  )::uuid;
$$;

revoke all on function audit.tenant_of_row(regclass, jsonb) from public;
grant execute on function audit.tenant_of_row(regclass, jsonb) to svc_audit;
comment on function audit.tenant_of_row(regclass, jsonb) is
'Tenant of a watched row; zeros when it is nobody''s in particular.';
