-- The functions that policies call say which tenant is in force. They are stable (an immutable
-- one bakes the first caller's tenant into a plan) and read the tenant from a secret as
-- definer, owned by svc_auth. office.tenant_id reads a setting, for svc_office alone.
select
  audit.function_name(pg_proc.oid) as object,
  format(
    'policies call it, and it is %s',
    concat_ws(
      ', ',
      case when provolatile <> 's' then 'not stable' end,
      case when proleakproof then 'marked leakproof' end,
      case when proowner::regrole::text not in ('svc_auth', 'svc_owner')
        then 'owned by ' || proowner::regrole::text end,
      case
        when
          not prosecdef
          and audit.function_name(pg_proc.oid) <> 'office.tenant_id()'
          then 'not security definer'
      end
    )
  ) as detail
from pg_proc
inner join pg_namespace on pronamespace = pg_namespace.oid
where
  exists (
    select
    from pg_depend
    where
      classid = 'pg_policy'::regclass
      and refclassid = 'pg_proc'::regclass
      and refobjid = pg_proc.oid
  )
  and nspname !~ '^pg_'
  and (
    provolatile <> 's'
    or proleakproof
    or proowner::regrole::text not in ('svc_auth', 'svc_owner')
    or (not prosecdef and audit.function_name(pg_proc.oid) <> 'office.tenant_id()')
  )
