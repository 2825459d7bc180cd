-- The definer functions whose owner logs in or works across tenants, and why they may: each
-- does one thing, and none gives its caller a row.
create or replace function audit.entrusted_functions()
returns table (function text, reason text)
language sql
stable
set search_path = ''
as $$
  values
  (
    'outbox.add_fan_out_job(uuid)',
    'adds the job that turns events into deliveries; reads nothing'
  ),
  (
    'outbox.wake_endpoint(uuid,timestamp with time zone)',
    'adds the job that sends what an endpoint has due; gives nothing back'
  ),
  (
    'outbox.queue_metrics()',
    'counts the queue for the operator''s graphs; no row, no tenant'
  ),
  (
    'outbox.purge_idempotency_keys(integer,integer)',
    'removes answers that are past their time; gives how many'
  ),
  (
    'app.search_organizations(text,text,integer,integer)',
    'names the tenant itself and gives ids, which the caller reads under its policy'
  ),
  (
    'audit.tg__record_change()',
    'trigger that writes history; gives nothing back'
  );
$$;

revoke all on function audit.entrusted_functions() from public;
grant execute on function audit.entrusted_functions() to svc_auditor;
comment on function audit.entrusted_functions() is
'Definer functions that may lend the rights of a role that logs in or works across tenants, and why.';
