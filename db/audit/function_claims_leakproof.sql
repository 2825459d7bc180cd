-- A function that is marked leakproof runs before the policy has filtered, on every tenant's
-- rows. Only PostgreSQL's own functions deserve that trust.
select
  audit.function_name(pg_proc.oid) as object,
  'is marked leakproof and sees rows before policies do' as detail
from pg_proc
inner join pg_namespace on pronamespace = pg_namespace.oid
where proleakproof and nspname not in ('pg_catalog', 'information_schema')
