-- A definer function pins an empty search path, so that every name in it is qualified and
-- nobody can put a table or function of their own in the way.
select
  audit.function_name(pg_proc.oid) as object,
  'security definer without `set search_path = ''''`' as detail
from pg_proc
inner join pg_namespace on pronamespace = pg_namespace.oid
where
  prosecdef
  and nspname !~ '^pg_'
  and nspname <> 'information_schema'
  and not coalesce('search_path=""' = any(proconfig), false)
