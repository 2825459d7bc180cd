-- Nobody was granted a setting that PostgreSQL keeps for superusers. With
-- session_replication_role = replica foreign keys and triggers don't fire.
select
  parname as object,
  format('%s may %s it', audit.role_name(acl.grantee), lower(acl.privilege_type)) as detail
from pg_parameter_acl
cross join aclexplode(paracl) as acl
where acl.grantee not in (select role from audit.administrators())
