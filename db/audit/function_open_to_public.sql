-- No function of ours can be called by everyone: PostgreSQL grants that by default, so each
-- file of db/functions revokes it. Extensions' own functions are left as they come.
select
  audit.function_name(pg_proc.oid) as object,
  case
    when prosecdef then 'security definer that everyone may call'
    else 'everyone may call it'
  end as detail
from pg_proc
inner join pg_namespace on pronamespace = pg_namespace.oid
where
  nspname !~ '^pg_'
  and nspname not in ('information_schema', 'graphile_worker')
  and has_function_privilege('public', pg_proc.oid, 'execute')
  and not exists (
    select
    from pg_depend
    where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
  )
