-- A function with its caller's rights pins its search path, too: policies, checks and definer
-- functions call it, and then it finds what its caller put in the way. Extensions' functions
-- are left as they come.
select
  audit.function_name(pg_proc.oid) as object,
  'takes its search path from its caller' as detail
from pg_proc
inner join pg_namespace on pronamespace = pg_namespace.oid
where
  not prosecdef
  and nspname !~ '^pg_'
  and nspname not in ('information_schema', 'graphile_worker')
  and not exists (
    select
    from unnest(proconfig) as setting
    where setting like 'search_path=%'
  )
  and not exists (
    select
    from pg_depend
    where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
  )
