-- What each role is for, as the schemas that it may use, the rights on tables that it may hold
-- there, and whether it may run definer functions there. A grant elsewhere is a finding, also
-- where row-level security would still show nothing.
create or replace function audit.purposes()
returns table (role text, schema text, table_rights text[], may_run_definers boolean)
language sql
stable
set search_path = ''
as $$
  values
  ('svc_api', 'app', '{SELECT,INSERT,UPDATE,DELETE}'::text[], true),
  ('svc_api', 'api', '{}', true),
  ('svc_api', 'auth', '{}', true),
  ('svc_api', 'outbox', '{}', true),
  ('svc_api', 'extensions', '{}', false),
  ('svc_api', 'reference', '{}', false),
  ('svc_api', 'public', '{}', false),
  ('svc_worker', 'app', '{}', false),
  ('svc_worker', 'outbox', '{SELECT,INSERT,UPDATE,DELETE}', true),
  ('svc_worker', 'reference', '{}', false),
  ('svc_worker', 'public', '{}', false),
  ('svc_office', 'app', '{SELECT,INSERT,UPDATE,DELETE}', true),
  ('svc_office', 'office', '{}', true),
  ('svc_office', 'auth', '{}', false),
  ('svc_office', 'audit', '{SELECT}', false),
  ('svc_office', 'extensions', '{}', false),
  ('svc_office', 'reference', '{}', false),
  ('svc_analyst', 'analytics', '{SELECT}', true),
  ('svc_analyst', 'app', '{SELECT}', false),
  ('svc_analyst', 'outbox', '{SELECT}', false),
  ('svc_analyst', 'auth', '{}', true),
  ('svc_auditor', 'audit', '{SELECT}', false),
  ('svc_auth', 'auth', '{SELECT}', true),
  ('svc_auth', 'app', '{SELECT,INSERT,UPDATE}', false),
  ('svc_outbox', 'outbox', '{SELECT,INSERT}', true),
  ('svc_outbox', 'app', '{}', false),
  ('svc_outbox', 'auth', '{}', true),
  ('svc_purge', 'app', '{SELECT,DELETE}', false),
  ('svc_search', 'app', '{SELECT}', false),
  ('svc_search', 'auth', '{}', true),
  ('svc_audit', 'audit', '{INSERT}', false),
  ('svc_owner', 'extensions', '{}', false);
$$;

revoke all on function audit.purposes() from public;
grant execute on function audit.purposes() to svc_auditor;
comment on function audit.purposes() is
'Which schemas a role may use, with which rights on tables, and whether it may run definer functions there.';
