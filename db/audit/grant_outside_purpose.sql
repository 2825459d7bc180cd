-- A role holds rights where its work is (audit.purposes) and nowhere else, also where
-- row-level security would still hide the rows: the worker sees no business table, analysts
-- and auditors write nothing, and no role that isn't known here holds anything.
select
  audit.relation_name(grants.relation) || coalesce('.' || grants.column_name, '') as object,
  format('%s may %s', audit.role_name(grants.role), lower(grants.privilege)) as detail
from audit.grants()
inner join pg_class on grants.relation = pg_class.oid
where
  relkind <> 'S'
  and grants.role <> 0
  and grants.role not in (select role from audit.administrators())
  and not exists (
    select
    from audit.purposes()
    where
      purposes.role = audit.role_name(grants.role)
      and purposes.schema = relnamespace::regnamespace::text
      and grants.privilege = any(purposes.table_rights)
  )
  and not (
    grants.privilege = 'SELECT'
    and audit.is_exception(
      'grant_outside_purpose',
      audit.relation_name(grants.relation),
      audit.role_name(grants.role)
    )
  )

union all

select
  audit.function_name(pg_proc.oid),
  format('%s may run this definer function', acl.grantee::regrole)
from pg_proc
cross join aclexplode(proacl) as acl
where
  prosecdef
  and acl.grantee not in (0, proowner)
  and prorettype <> 'trigger'::regtype
  and acl.grantee not in (select role from audit.administrators())
  and not exists (
    select
    from audit.purposes()
    where
      purposes.role = audit.role_name(acl.grantee)
      and purposes.schema = pronamespace::regnamespace::text
      and purposes.may_run_definers
  )
  and not exists (
    select
    from audit.entrusted_functions()
    where
      entrusted_functions.function = audit.function_name(pg_proc.oid)
      and audit.role_name(acl.grantee) = any(entrusted_functions.callers)
  )

union all

select
  'schema ' || nspname,
  format('%s may use it', audit.role_name(acl.grantee))
from pg_namespace
cross join aclexplode(nspacl) as acl
where
  acl.privilege_type = 'USAGE'
  and acl.grantee not in (0, nspowner)
  and nspname !~ '^pg_'
  and acl.grantee not in (select role from audit.administrators())
  and not exists (
    select
    from audit.purposes()
    where
      purposes.role = audit.role_name(acl.grantee)
      and purposes.schema = nspname
  )
