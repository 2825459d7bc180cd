-- No right was given with the right to pass it on, nor a membership.
select
  audit.relation_name(grants.relation) || coalesce('.' || grants.column_name, '') as object,
  format('%s may grant %s to others', audit.role_name(grants.role), lower(grants.privilege))
    as detail
from audit.grants()
where grants.is_grantable

union all

select
  roleid::regrole::text,
  format('%s may make others its members', member::regrole)
from pg_auth_members
where
  admin_option
  and roleid::regrole::text ~ '^svc_'
  and member not in (select role from audit.administrators())
