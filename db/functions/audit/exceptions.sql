-- What single checks leave alone, and why; audit.entrusted and audit.entrusted_functions hold
-- the rest. A role is named where the exception is for one alone.
create or replace function audit.exceptions()
returns table ("check" text, object text, role text, reason text)
language sql
stable
set search_path = ''
as $$
  values
  (
    'grant_outside_purpose', 'public.schema_migrations', 'svc_api',
    'a process finds out at its start whether it knows this schema'
  ),
  (
    'grant_outside_purpose', 'public.schema_migrations', 'svc_worker',
    'a process finds out at its start whether it knows this schema'
  ),
  (
    'key_without_tenant', 'auth.api_keys_digest_key', null,
    'the tenant is found by the digest, and nobody but the administrator writes it'
  ),
  (
    'owner_logs_in', 'graphile_worker', 'svc_worker',
    'the job queue: ids alone, and nobody else can read it'
  ),
  (
    'policies_add_up', 'app.tenants', 'svc_auth',
    'looks up the tenant of a key, or every tenant for a token that is for all'
  ),
  (
    'secret_readable', 'app.idempotency_keys.fingerprint', 'svc_api',
    'tells whether a repeated request is the same; its own tenant''s'
  ),
  (
    'secret_readable', 'app.documents.sha256', 'svc_office',
    'the office checks what it fetches; its own tenant''s'
  ),
  (
    'secret_readable', 'app.document_bytes.bytes', 'svc_office',
    'the office reads what partners sent it; its own tenant''s'
  ),
  (
    'secret_readable', 'app.rejected_uploads.sha256', 'svc_office',
    'the office finds a refused file again; its own tenant''s'
  ),
  (
    'secret_readable', 'outbox.endpoints.secret', 'svc_worker',
    'signs what it sends; sealed with a key that isn''t in the database'
  ),
  (
    'secret_readable', 'outbox.endpoints.previous_secret', 'svc_worker',
    'signs with the old secret until it expires; sealed in the same way'
  ),
  (
    'tenant_column_missing', 'app.tenants', null,
    'the tenants themselves'
  ),
  (
    'tenant_column_missing', 'auth.analyst_tokens', null,
    'a token may be for several tenants: auth.analyst_token_tenants'
  ),
  (
    'tenant_column_missing', 'outbox.workers', null,
    'heartbeats of processes, which work for every tenant'
  ),
  (
    'tenant_column_missing', 'public.schema_migrations', null,
    'which migrations have run'
  ),
  (
    'tenant_column_missing', 'reference.*', null,
    'states and counties, the same for all, and nobody may write them'
  ),
  (
    'tenant_column_missing', 'graphile_worker.*', null,
    'the job queue, which holds ids alone and is the worker''s own'
  ),
  (
    'tenant_column_unbound', 'audit.changes', null,
    'history outlives its tenant'
  );
$$;

revoke all on function audit.exceptions() from public;
grant execute on function audit.exceptions() to svc_auditor;
comment on function audit.exceptions() is
'What a check leaves alone, for which role (null: whoever), and why.';
