-- Whether a check leaves an object alone, for a role where one is given.
create or replace function audit.is_exception(
  p_check text,
  p_object text,
  p_role text default null
)
returns boolean
language sql
stable
set search_path = ''
as $$
  select exists (
    select
    from audit.exceptions()
    where
      exceptions."check" = p_check
      and exceptions.role is not distinct from p_role
      and (
        exceptions.object = p_object
        or (
          exceptions.object like '%.*'
          and starts_with(p_object, left(exceptions.object, -1))
        )
      )
  );
$$;

revoke all on function audit.is_exception(text, text, text) from public;
grant execute on function audit.is_exception(text, text, text) to svc_auditor;
comment on function audit.is_exception(text, text, text) is
'Whether audit.exceptions names an object of a check, and the role.';
