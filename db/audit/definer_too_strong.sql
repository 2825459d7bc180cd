-- A definer function lends its owner's rights. Owners are roles that can do only what their
-- functions need: none that sees past row-level security, that logs in, that works across
-- tenants or that names its tenant by a setting, which its caller may have made.
-- audit.entrusted_functions names the few exceptions and who may call each.
select
  audit.function_name(pg_proc.oid) as object,
  format(
    'lends the rights of %s, %s%s',
    rolname,
    case
      when rolsuper then 'a superuser'
      when rolbypassrls then 'who bypasses row-level security'
      when rolcanlogin then 'who logs in'
      when rolname in (select entrusted.role from audit.entrusted())
        then 'who works across tenants'
      else 'who names its tenant'
    end,
    ' to ' || lent.callers
  ) as detail
from pg_proc
inner join pg_namespace on pronamespace = pg_namespace.oid
inner join pg_roles on proowner = pg_roles.oid
left join audit.entrusted_functions() as trust
  on trust.function = audit.function_name(pg_proc.oid)
cross join lateral (
  select string_agg(audit.role_name(acl.grantee), ', ')
  from aclexplode(coalesce(proacl, acldefault('f', proowner))) as acl
  where
    acl.grantee <> proowner
    and acl.grantee not in (select role from audit.administrators())
    and audit.role_name(acl.grantee) <> all(coalesce(trust.callers, '{}'))
) as lent (callers)
where
  prosecdef
  and nspname !~ '^pg_'
  and nspname <> 'information_schema'
  and (
    rolsuper
    or rolbypassrls
    or rolcanlogin
    or rolname in (select entrusted.role from audit.entrusted())
    or exists (
      select
      from audit.tenant_sources()
      where tenant_sources.setting is not null and rolname = any(tenant_sources.roles)
    )
  )
  and (trust.function is null or lent.callers is not null)
