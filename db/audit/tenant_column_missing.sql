-- Every table says whose each row is, in a column `tenant_id`. Without one no policy can tell
-- tenants apart. Tables that are nobody's are in audit.exceptions.
select
  format('%I.%I', nspname, relname) as object,
  'has no column tenant_id of type uuid' as detail
from pg_class
inner join pg_namespace on relnamespace = pg_namespace.oid
where
  relkind in ('r', 'p', 'f')
  and nspname !~ '^pg_'
  and nspname <> 'information_schema'
  and not audit.is_exception('tenant_column_missing', format('%I.%I', nspname, relname))
  and not exists (
    select
    from pg_attribute
    where
      attrelid = pg_class.oid
      and attname = 'tenant_id'
      and atttypid = 'uuid'::regtype
      and not attisdropped
  )
  and not exists (
    select
    from pg_depend
    where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
  )
