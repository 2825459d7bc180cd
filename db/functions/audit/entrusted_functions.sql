-- The definer functions whose owner logs in, works across tenants or names its tenant itself,
-- who may call them, and why that does no harm: each does one thing, and none gives its caller
-- a row of another tenant's.
create or replace function audit.entrusted_functions()
returns table (function text, callers text[], reason text)
language sql
stable
set search_path = ''
as $$
  values
  (
    'outbox.add_fan_out_job(uuid)',
    '{svc_outbox}'::text[],
    'adds the job that turns events into deliveries; reads nothing'
  ),
  (
    'outbox.wake_endpoint(uuid,timestamp with time zone)',
    '{}',
    'adds the job that sends what an endpoint has due; gives nothing back'
  ),
  (
    'outbox.queue_metrics()',
    '{svc_api}',
    'counts the queue for the operator''s graphs; no row, no tenant'
  ),
  (
    'outbox.purge_idempotency_keys(integer,integer)',
    '{svc_worker}',
    'removes answers that are past their time; gives how many'
  ),
  (
    'app.search_organizations(text,text,integer,integer)',
    '{svc_api}',
    'names the tenant itself and gives ids, which the caller reads under its policy'
  ),
  (
    'app.orphaned_document_keys(text[])',
    '{svc_worker}',
    'of the object store''s keys that it is given, tells which are no document''s'
  ),
  (
    'app.tg_redact__notes()',
    '{}',
    'trigger that takes values out of notes; reads no table'
  ),
  (
    'audit.tg__record_change()',
    '{svc_owner}',
    'trigger that writes history; gives nothing back'
  );
$$;

revoke all on function audit.entrusted_functions() from public;
grant execute on function audit.entrusted_functions() to svc_auditor;
comment on function audit.entrusted_functions() is
'Definer functions that may lend the rights of a role that logs in, works across tenants or names its tenant, to whom, and why.';
