-- The proof puts on each login's rights: only a superuser can, or a role that is a member
-- of all of them and bypasses row-level security, as a managed service's administrator.
create or replace function audit.require_attacker()
returns void
language plpgsql
stable
set search_path = ''
as $$
begin
  if not exists (
    select
    from pg_roles
    where
      rolname = session_user
      and session_user = current_user
      and (
        rolsuper
        or (
          rolbypassrls
          and not exists (
            select
            from audit.personas()
            where not pg_has_role(session_user, personas.login, 'set')
          )
        )
      )
  ) then
    raise exception using
      errcode = 'insufficient_privilege',
      message = 'The proof is run by the database''s administrator.',
      hint = 'Log in as a superuser, or as a member of every svc_ role that bypasses row-level security.';
  end if;
end;
$$;

revoke all on function audit.require_attacker() from public;
comment on function audit.require_attacker() is
'Raises unless the session may act as every login and see past row-level security.';
