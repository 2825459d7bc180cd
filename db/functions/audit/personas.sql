-- Who attacks: each login as itself, and as each role that it can set, at any distance.
create or replace function audit.personas()
returns setof audit.persona
language sql
stable
set search_path = ''
as $$
  select login.rolname::text, role.rolname::text
  from audit.reachable_roles()
  inner join pg_roles as login on reachable_roles.login = login.oid
  inner join pg_roles as role on reachable_roles.role = role.oid
  where
    has_database_privilege(login.oid, current_database(), 'connect')
    and pg_has_role(login.oid, role.oid, 'set')
  order by login.rolname, login.oid <> role.oid, role.rolname;
$$;

revoke all on function audit.personas() from public;
comment on function audit.personas() is
'Each login of this database but the administrators, as itself and as each role it can set.';
