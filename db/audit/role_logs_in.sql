-- Of the service's roles five log in (audit.purposes says what each is for). The others own tables
-- or functions, or work across tenants, because nobody can log in as them.
select
  rolname::text as object,
  'can log in' as detail
from pg_roles
where
  rolname ~ '^svc_'
  and rolcanlogin
  and rolname not in ('svc_api', 'svc_worker', 'svc_office', 'svc_analyst', 'svc_auditor')
