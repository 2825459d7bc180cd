-- No role of the service is an administrator: whom the database belongs to, or whom its owner
-- names in audit.administrators, is trusted by every other check.
select
  rolname::text as object,
  'counts as an administrator: owns the database, or is named in audit.administrators' as detail
from audit.administrators()
inner join pg_roles on administrators.role = pg_roles.oid
where rolname ~ '^svc_'
