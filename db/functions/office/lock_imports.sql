-- One import of a tenant at a time: rows that two files touch in different orders
-- would deadlock, and two new default appraisers would collide.
create or replace function office.lock_imports()
returns uuid
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_tenant_id uuid := office.tenant_id();
begin
  perform pg_advisory_xact_lock(hashtextextended('import:' || v_tenant_id, 0));
  return v_tenant_id;
end;
$$;

revoke all on function office.lock_imports() from public;
grant execute on function office.lock_imports() to svc_office;
comment on function office.lock_imports() is
'Waits for another import of the tenant in force, and gives that tenant.';
