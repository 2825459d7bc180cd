-- Every role that a login other than an administrator is or can become, by what is
-- granted now or what it may grant itself: pg_auth_members from the logins onwards.
create or replace function audit.reachable_roles()
returns table (login oid, role oid, path text)
language sql
stable
set search_path = ''
as $$
  with recursive reachable as (
    select pg_roles.oid as login, pg_roles.oid as role, pg_roles.rolname::text as path
    from pg_roles
    where pg_roles.rolcanlogin and pg_roles.oid not in (select role from audit.administrators())

    union

    select reachable.login, roleid, reachable.path || ' > ' || roleid::regrole::text
    from reachable
    inner join pg_auth_members
      on
        reachable.role = member
        and (inherit_option or set_option or admin_option)
        and strpos(reachable.path || ' > ', roleid::regrole::text || ' > ') = 0
  )
  select distinct on (reachable.login, reachable.role) reachable.login, reachable.role, reachable.path
  from reachable
  order by reachable.login, reachable.role, length(reachable.path);
$$;

revoke all on function audit.reachable_roles() from public;
grant execute on function audit.reachable_roles() to svc_auditor;
comment on function audit.reachable_roles() is
'Each login but the administrators, with each role that it is or can become, and by which way.';
