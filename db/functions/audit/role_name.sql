-- A role as a finding names it.
create or replace function audit.role_name(p_role oid)
returns text
language sql
stable
set search_path = ''
as $$
  select case when p_role = 0 then 'everyone (public)' else p_role::regrole::text end;
$$;

revoke all on function audit.role_name(oid) from public;
grant execute on function audit.role_name(oid) to svc_auditor;
comment on function audit.role_name(oid) is 'Name of a role; role 0 is everyone.';
