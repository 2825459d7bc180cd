-- What is created tomorrow is open to nobody: default privileges grant nothing, and take from
-- everyone the right to call new functions of the roles that own them.
select
  format(
    'default privileges of %s%s',
    defaclrole::regrole,
    case when defaclnamespace <> 0 then ' in ' || defaclnamespace::regnamespace::text else '' end
  ) as object,
  format(
    'grant %s on new %s to %s',
    lower(acl.privilege_type),
    case defaclobjtype
      when 'r' then 'tables'
      when 'S' then 'sequences'
      when 'f' then 'functions'
      when 'T' then 'types'
      when 'n' then 'schemas'
      else 'large objects'
    end,
    audit.role_name(acl.grantee)
  ) as detail
from pg_default_acl
cross join aclexplode(defaclacl) as acl
where acl.grantee <> defaclrole and not (acl.grantee = 0 and defaclobjtype = 'T')

union all

select
  format('default privileges of %s', rolname),
  'let everyone call its new functions'
from pg_roles
where
  rolname ~ '^svc_'
  and not rolcanlogin
  and not exists (
    select
    from pg_default_acl
    where defaclrole = pg_roles.oid and defaclobjtype = 'f' and defaclnamespace = 0
  )
