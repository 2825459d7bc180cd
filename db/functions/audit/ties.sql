-- Whether a policy's expression ties rows to a tenant in a way that none of the roles
-- that it is for can forge. Null where the policy has no such expression.
create or replace function audit.ties(p_expression text, p_column name, p_roles oid[])
returns boolean
language sql
stable
strict
set search_path = ''
as $$
  select exists (
    select
    from unnest(audit.conjuncts(p_expression)) as part
    inner join audit.tenant_sources() as source
      on part = replace(source.expression, '%s', p_column)
    where
      source.roles is null
      or not exists (
        select
        from unnest(p_roles) as policy_role
        where audit.role_name(policy_role) <> all(source.roles)
      )
  );
$$;

revoke all on function audit.ties(text, name, oid[]) from public;
grant execute on function audit.ties(text, name, oid[]) to svc_auditor;
comment on function audit.ties(text, name, oid[]) is
'Whether a printed expression ties a column to a tenant that these roles can''t choose.';
