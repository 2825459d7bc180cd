-- The exceptions, all of them: roles that reach rows of every tenant because that is
-- their work, where they may, and what they may do there.
create or replace function audit.entrusted()
returns table (role text, relation text, commands text[], reason text)
language sql
stable
set search_path = ''
as $$
  values
  (
    'svc_worker', 'outbox.events', '{select,insert,delete}'::text[],
    'fans out and delivers the events of every tenant: ids and actions, no business data'
  ),
  (
    'svc_worker', 'outbox.endpoints', '{select,update}',
    'signs with each endpoint''s secret, and disables those that fail'
  ),
  (
    'svc_worker', 'outbox.deliveries', '{select,insert,update,delete}',
    'schedules the deliveries of every tenant'
  ),
  (
    'svc_worker', 'outbox.attempts', '{select,insert,delete}',
    'records the attempts of every tenant'
  ),
  (
    'svc_purge', 'app.idempotency_keys', '{select,delete}',
    'can''t log in: forgets answers of every tenant once they are past their time'
  ),
  (
    'svc_search', 'app.organizations', '{select}',
    'can''t log in: its one function names the tenant itself and gives ids alone'
  ),
  (
    'svc_audit', 'audit.changes', '{insert}',
    'can''t log in: the trigger that writes history, whoever''s row changed'
  ),
  (
    'svc_auditor', 'audit.changes', '{select}',
    'reads the history of all tenants; it holds no secret and no client or borrower'
  );
$$;

revoke all on function audit.entrusted() from public;
grant execute on function audit.entrusted() to svc_auditor;
comment on function audit.entrusted() is
'Roles that work across tenants, on which table, with which commands, and why.';
