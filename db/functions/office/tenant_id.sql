-- The tenant that an office session works for. Unlike the public API, the office
-- product is trusted to name its tenant; only svc_office's policies read this.
create or replace function office.tenant_id()
returns uuid
language sql
stable
parallel safe
set search_path = ''
as $$
  select nullif(current_setting('svc.office_tenant', true), '')::uuid;
$$;

revoke all on function office.tenant_id() from public;
grant execute on function office.tenant_id() to svc_office;
comment on function office.tenant_id() is 'Tenant of the office session, or null.';
