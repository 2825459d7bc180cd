-- No login can become, by membership at any distance, a role that sees past row-level
-- security, owns tables, or is one of PostgreSQL's own powerful roles, or of the service's; and
-- no role of the service is a member of any other. A person's login may be an auditor.
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
    or (rolname ~ '^svc_' and rolname <> 'svc_auditor')
    or reachable_roles.login::regrole::text ~ '^svc_'
    or exists (select from pg_class where relowner = reachable_roles.role and relkind in ('r', 'p'))
  )
