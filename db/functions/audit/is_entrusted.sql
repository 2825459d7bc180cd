-- Whether all of these roles are trusted with every tenant's rows of a table for a
-- command, which is a policy's letter: r, a, w, d, or * for all that was entrusted.
create or replace function audit.is_entrusted(p_roles oid[], p_relation oid, p_command "char")
returns boolean
language sql
stable
set search_path = ''
as $$
  select not exists (
    select
    from unnest(p_roles) as policy_role
    where not exists (
      select
      from audit.entrusted()
      where
        entrusted.role = audit.role_name(policy_role)
        and entrusted.relation = p_relation::regclass::text
        and case p_command
          when 'r' then 'select' = any(entrusted.commands)
          when 'a' then 'insert' = any(entrusted.commands)
          when 'w' then 'update' = any(entrusted.commands)
          when 'd' then 'delete' = any(entrusted.commands)
          else true
        end
    )
  );
$$;

revoke all on function audit.is_entrusted(oid[], oid, "char") from public;
grant execute on function audit.is_entrusted(oid[], oid, "char") to svc_auditor;
comment on function audit.is_entrusted(oid[], oid, "char") is
'Whether audit.entrusted names all of these roles for a command on a table.';
