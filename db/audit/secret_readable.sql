-- Nobody reads keys, tokens or bytes but the roles that need them: in schema auth only svc_auth,
-- elsewhere a column that holds bytes or is named like a secret only by whom audit.exceptions
-- names.
select
  format('%s.%I', audit.relation_name(pg_class.oid), attname) as object,
  format('%s can read it', rolname) as detail
from pg_class
inner join pg_namespace on relnamespace = pg_namespace.oid
inner join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
inner join pg_roles
  on
    pg_roles.oid <> relowner
    and pg_roles.oid not in (select role from audit.administrators())
    and not rolsuper
    and rolname !~ '^pg_'
where
  relkind in ('r', 'p', 'f', 'v', 'm')
  and (
    (nspname = 'auth' and rolname <> 'svc_auth')
    or (
      nspname !~ '^pg_'
      and nspname not in ('information_schema', 'auth')
      and (atttypid = 'bytea'::regtype or attname ~ '(secret|digest|token|password)$')
      and not audit.is_exception(
        'secret_readable', format('%I.%I.%I', nspname, relname, attname), rolname
      )
    )
  )
  and has_column_privilege(pg_roles.oid, pg_class.oid, attnum, 'select')
