-- Tries to become each role that would open more: superusers, those that bypass row-level
-- security, owners of tables, the roles of the service. Only a superuser can really put a
-- login on; for another administrator the memberships have to do.
create or replace function audit.attack_roles(p_login text)
returns setof audit.attempt
language sql
volatile
set search_path = ''
as $$
  select
    p_login,
    target.rolname::text,
    'become',
    case
      when attacker.rolsuper and tried.state <> '00000' then 'refused'
      when pg_has_role(p_login, target.oid, 'set') then 'LEAK'
      else 'refused'
    end,
    case when attacker.rolsuper then coalesce(tried.message, 'done') else 'by membership' end
  from pg_roles as target
  cross join lateral audit.try_as(
    row(p_login, p_login)::audit.persona,
    '{}',
    format('set local role %I', target.rolname)
  ) as tried
  inner join pg_roles as attacker on attacker.rolname = session_user
  where
    target.rolname <> p_login
    and (
      target.rolsuper
      or target.rolbypassrls
      or (target.rolname ~ '^svc_' and not target.rolcanlogin)
      or (target.rolname ~ '^svc_' and p_login ~ '^svc_')
      or exists (
        select from pg_class where relowner = target.oid and relkind in ('r', 'p', 'v', 'm')
      )
    )
  order by target.rolname;
$$;

revoke all on function audit.attack_roles(text) from public;
comment on function audit.attack_roles(text) is 'Tries to become a stronger role.';
