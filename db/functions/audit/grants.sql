-- Every right that somebody other than the owner holds on a table, view, sequence or
-- column outside the system's own schemas. Role 0 is everyone.
create or replace function audit.grants()
returns table (
  relation oid,
  column_name name,
  role oid,
  privilege text,
  is_grantable boolean
)
language sql
stable
set search_path = ''
as $$
  with own as (
    select pg_class.oid, pg_class.relowner, pg_class.relacl
    from pg_class
    inner join pg_namespace on pg_class.relnamespace = pg_namespace.oid
    where
      pg_class.relkind in ('r', 'p', 'f', 'v', 'm', 'S')
      and pg_namespace.nspname !~ '^pg_'
      and pg_namespace.nspname <> 'information_schema'
  )
  select own.oid, null::name, acl.grantee, acl.privilege_type, acl.is_grantable
  from own
  cross join aclexplode(own.relacl) as acl
  where acl.grantee <> own.relowner

  union all

  select own.oid, attname, acl.grantee, acl.privilege_type, acl.is_grantable
  from own
  inner join pg_attribute on attrelid = own.oid
  cross join aclexplode(attacl) as acl
  where acl.grantee <> own.relowner;
$$;

revoke all on function audit.grants() from public;
grant execute on function audit.grants() to svc_auditor;
comment on function audit.grants() is
'Rights on relations and columns that were granted to others than the owner; role 0 is everyone.';
