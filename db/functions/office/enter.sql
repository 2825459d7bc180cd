-- Opens an office session's transaction for one tenant.
create or replace function office.enter(p_tenant_id uuid)
returns void
language sql
volatile
set search_path = ''
as $$
  select set_config('svc.office_tenant', p_tenant_id::text, true);
$$;

revoke all on function office.enter(uuid) from public;
grant execute on function office.enter(uuid) to svc_office;
comment on function office.enter(uuid) is
'Puts a tenant in force for svc_office until the transaction ends.';
