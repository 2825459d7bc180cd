-- The digest of a tenant's throw-away key and token. Nobody has to guess what it is the digest
-- of: the rows that hold it are never committed.
create or replace function audit.proof_digest(p_tenant uuid)
returns bytea
language sql
immutable
set search_path = ''
as $$
  select sha256(convert_to('isolation proof ' || p_tenant, 'utf8'));
$$;

revoke all on function audit.proof_digest(uuid) from public;
comment on function audit.proof_digest(uuid) is 'Digest of the throw-away key and token of a tenant.';
