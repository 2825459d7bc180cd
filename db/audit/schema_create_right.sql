-- Nobody but its owner may create objects in a schema, nor schemas in the database: a table
-- or function put in the way of another is how definer functions are turned.
select
  'schema ' || nspname as object,
  format('%s may create objects in it', audit.role_name(acl.grantee)) as detail
from pg_namespace
cross join aclexplode(nspacl) as acl
where
  acl.privilege_type = 'CREATE'
  and acl.grantee <> nspowner
  and acl.grantee <> to_regrole('pg_database_owner')
  and nspname !~ '^pg_'

union all

select
  'database ' || datname,
  format('%s may create schemas in it', audit.role_name(acl.grantee))
from pg_database
cross join aclexplode(datacl) as acl
where
  datname = current_database()
  and acl.privilege_type = 'CREATE'
  and acl.grantee <> datdba
