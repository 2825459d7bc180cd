-- A function as a finding names it: with its schema and the types of its parameters, whatever
-- the session has on its search path.
create or replace function audit.function_name(p_function oid)
returns text
language sql
stable
set search_path = ''
as $$
  select p_function::regprocedure::text;
$$;

revoke all on function audit.function_name(oid) from public;
grant execute on function audit.function_name(oid) to svc_auditor;
comment on function audit.function_name(oid) is 'Qualified name of a function, with the types of its parameters.';
