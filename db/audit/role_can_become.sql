-- No login can become, by membership at any distance, a role that sees past row-level
-- security, owns tables, writes or resolves for all tenants, or is one of PostgreSQL's own
-- powerful roles; and no role of the service is a member of any other.
select
  reachable_roles.login::regrole::text as object,
  format('can become %s (%s)', reachable_roles.role::regrole, reachable_roles.path) as detail
from audit.reachable_roles()
inner join pg_roles on reachable_roles.role = pg_roles.oid
where
  reachable_roles.login <> reachable_roles.role
  and (
    rolsuper
    or rolbypassrls
    or rolreplication
    or rolcreaterole
    or rolname ~ '^pg_'
    or (rolname ~ '^svc_' and not rolcanlogin)
    or reachable_roles.login::regrole::text ~ '^svc_'
    or exists (select from pg_class where relowner = reachable_roles.role and relkind in ('r', 'p'))
  )
