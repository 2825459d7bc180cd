-- Functions are written in SQL or PL/pgSQL. In an untrusted language they run with the rights
-- of the server's process.
select
  audit.function_name(pg_proc.oid) as object,
  format('is written in %s', lanname) as detail
from pg_proc
inner join pg_namespace on pronamespace = pg_namespace.oid
inner join pg_language on prolang = pg_language.oid
where
  nspname not in ('pg_catalog', 'information_schema')
  and lanname not in ('sql', 'plpgsql')
  and not exists (
    select
    from pg_depend
    where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
  )
