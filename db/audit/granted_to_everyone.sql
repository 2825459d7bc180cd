-- Nothing is granted to `public`: every role holds such a right, future ones included.
select
  audit.relation_name(grants.relation) || coalesce('.' || grants.column_name, '') as object,
  format('everyone may %s', lower(grants.privilege)) as detail
from audit.grants()
where grants.role = 0

union all

select
  'schema ' || nspname,
  format('everyone holds %s', lower(acl.privilege_type))
from pg_namespace
cross join aclexplode(nspacl) as acl
where acl.grantee = 0 and nspname !~ '^pg_' and nspname <> 'information_schema'
