-- A definer function lends its owner's rights. Owners are roles that can do only what their
-- functions need: none that sees past row-level security, that logs in, or that works across
-- tenants. audit.entrusted_functions names the few exceptions, none of which gives a row.
select
  audit.function_name(pg_proc.oid) as object,
  format(
    'lends the rights of %s, %s',
    rolname,
    case
      when rolsuper then 'a superuser'
      when rolbypassrls then 'who bypasses row-level security'
      when rolcanlogin then 'who logs in'
      else 'who works across tenants'
    end
  ) as detail
from pg_proc
inner join pg_namespace on pronamespace = pg_namespace.oid
inner join pg_roles on proowner = pg_roles.oid
where
  prosecdef
  and nspname !~ '^pg_'
  and nspname <> 'information_schema'
  and (
    rolsuper
    or rolbypassrls
    or rolcanlogin
    or rolname in (select entrusted.role from audit.entrusted())
  )
  and audit.function_name(pg_proc.oid) not in (
    select entrusted_functions.function from audit.entrusted_functions()
  )
