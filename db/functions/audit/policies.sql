-- Policies with their expressions as PostgreSQL prints them when nothing is on the
-- search path, so that every name is qualified, whatever the session has set.
create or replace function audit.policies()
returns table (
  relation oid,
  name text,
  is_permissive boolean,
  command "char",
  roles oid[],
  read_expression text,
  write_expression text
)
language sql
stable
set search_path = ''
as $$
  select
    polrelid,
    format('%s: %s', polrelid::regclass, polname),
    polpermissive,
    polcmd,
    polroles,
    case
      when polcmd <> 'a'
        then regexp_replace(pg_get_expr(polqual, polrelid), '\s+', ' ', 'g')
    end,
    case
      when polcmd not in ('r', 'd')
        then regexp_replace(
          pg_get_expr(coalesce(polwithcheck, polqual), polrelid), '\s+', ' ', 'g'
        )
    end
  from pg_policy;
$$;

revoke all on function audit.policies() from public;
grant execute on function audit.policies() to svc_auditor;
comment on function audit.policies() is
'Each policy: who, which command (r, a, w, d or *), which rows it reads and which it may write. Role 0 is everyone.';
