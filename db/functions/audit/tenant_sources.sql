-- The only ways in which a policy may tie a row to a tenant, as PostgreSQL prints them;
-- `%s` is the table's column. A new way of naming a tenant is added here, with the roles
-- that can't abuse it (null where no role can, because it takes a secret), and the setting
-- by which those roles are trusted to name their tenant.
create or replace function audit.tenant_sources()
returns table (expression text, roles text[], setting text, reason text)
language sql
stable
set search_path = ''
as $$
  values
  (
    '(%s = ( SELECT auth.tenant_id() AS tenant_id))',
    null::text[],
    null::text,
    'the tenant of the API key whose digest is in force'
  ),
  (
    '(%s = ( SELECT office.tenant_id() AS tenant_id))',
    '{svc_office}',
    'svc.office_tenant',
    'a setting that the role makes itself: only the office is trusted to name its tenant'
  ),
  (
    '(encode(digest, ''hex''::text) = current_setting(''svc.key_digest''::text, true))',
    null,
    null,
    'the one key whose digest is in force'
  ),
  (
    '(%s = ANY (( SELECT auth.analyst_tenant_ids() AS analyst_tenant_ids)::uuid[]))',
    null,
    null,
    'the tenants of the analyst''s token whose digest is in force'
  ),
  (
    '( SELECT auth.analyst_sees_all_tenants() AS analyst_sees_all_tenants)',
    '{svc_auth}',
    null,
    'whether the analyst''s token whose digest is in force is for every tenant'
  ),
  (
    '(%s = ( SELECT auth.used_tenant_id() AS used_tenant_id))',
    '{svc_auth}',
    null,
    'the tenant of the API key whose digest is in force, whose use is being counted'
  ),
  (
    '(token_id = ( SELECT analyst_tokens.id FROM auth.analyst_tokens))',
    '{svc_auth}',
    null,
    'the one analyst''s token whose digest is in force: policies show no other'
  ),
  (
    '(%s = ( SELECT (NULLIF(current_setting(''svc.sweep_tenant''::text, true), ''''::text))::uuid AS "nullif"))',
    '{svc_owner}',
    'svc.sweep_tenant',
    'a setting that a function of the owner''s makes: it can''t log in, and audit.entrusted_functions names each'
  );
$$;

revoke all on function audit.tenant_sources() from public;
grant execute on function audit.tenant_sources() to svc_auditor;
comment on function audit.tenant_sources() is
'How a policy may tie rows to a tenant, for which roles (null: any), by which setting of theirs, and why that holds.';
