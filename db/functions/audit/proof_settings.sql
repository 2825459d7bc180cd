-- What puts a tenant in force for every kind of login at once; null puts none in force.
create or replace function audit.proof_settings(p_tenant uuid)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select jsonb_build_object(
    'svc.key_digest', coalesce(encode(audit.proof_digest(p_tenant), 'hex'), ''),
    'svc.analyst_digest', coalesce(encode(audit.proof_digest(p_tenant), 'hex'), ''),
    'svc.office_tenant', coalesce(p_tenant::text, '')
  );
$$;

revoke all on function audit.proof_settings(uuid) from public;
comment on function audit.proof_settings(uuid) is
'Settings that put a tenant of the proof in force, for the API, analysts and the office.';
