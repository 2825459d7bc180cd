-- Every table says whose each row is, in a column `tenant_id`. Without one no policy can tell
-- tenants apart. Tables that are nobody's are listed here: analysts' tokens (see
-- auth.analyst_token_tenants), reference data, the job queue, the workers' heartbeats and the
-- list of migrations.
select
  format('%I.%I', nspname, relname) as object,
  'has no column tenant_id of type uuid' as detail
from pg_class
inner join pg_namespace on relnamespace = pg_namespace.oid
where
  relkind in ('r', 'p', 'f')
  and nspname !~ '^pg_'
  and nspname not in ('information_schema', 'reference', 'graphile_worker')
  and (nspname, relname) not in (
    ('app', 'tenants'),
    ('auth', 'analyst_tokens'),
    ('outbox', 'workers'),
    ('public', 'schema_migrations')
  )
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
