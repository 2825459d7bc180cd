-- Nobody but the administrators (see audit.administrators) is a superuser, bypasses row-level
-- security, copies the cluster by replication, or makes roles.
select
  rolname::text as object,
  concat_ws(
    ', ',
    case when rolsuper then 'is a superuser' end,
    case when rolbypassrls then 'bypasses row-level security' end,
    case when rolreplication then 'may copy the cluster by replication' end,
    case when rolcreaterole then 'may create roles' end
  ) as detail
from pg_roles
where
  (rolsuper or rolbypassrls or rolreplication or rolcreaterole)
  and oid not in (select role from audit.administrators())
