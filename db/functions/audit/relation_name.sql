-- A table, view or index as a finding names it: with its schema, whatever the session has on
-- its search path. Unlike to_regclass the other way round it needs no right on the schema.
create or replace function audit.relation_name(p_relation oid)
returns text
language sql
stable
set search_path = ''
as $$
  select p_relation::regclass::text;
$$;

revoke all on function audit.relation_name(oid) from public;
grant execute on function audit.relation_name(oid) to svc_auditor;
comment on function audit.relation_name(oid) is 'Qualified name of a table, view or index.';
