-- Owners of tables, views, functions and schemas don't log in: an owner can switch row-level
-- security off. The administrators own what migrations leave to them; the worker owns its
-- job queue and functions that audit.entrusted_functions names.
select
  case owned.catalogue
    when 'pg_class' then audit.relation_name(owned.id)
    when 'pg_proc' then audit.function_name(owned.id)
    else 'schema ' || nspname
  end as object,
  format('is owned by %s, who logs in', rolname) as detail
from (
  select 'pg_class', pg_class.oid, relowner, relnamespace
  from pg_class
  where relkind in ('r', 'p', 'f', 'v', 'm')

  union all

  select 'pg_proc', pg_proc.oid, proowner, pronamespace
  from pg_proc

  union all

  select 'pg_namespace', pg_namespace.oid, nspowner, pg_namespace.oid
  from pg_namespace
) as owned (catalogue, id, owner, schema)
inner join pg_namespace on owned.schema = pg_namespace.oid
inner join pg_roles on owned.owner = pg_roles.oid
where
  rolcanlogin
  and owned.owner not in (select role from audit.administrators())
  and nspname !~ '^pg_'
  and not audit.is_exception('owner_logs_in', nspname, rolname)
  and not (
    owned.catalogue = 'pg_proc'
    and audit.function_name(owned.id) in (
      select entrusted_functions.function from audit.entrusted_functions()
    )
  )
