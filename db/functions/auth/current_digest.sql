-- The digest of the key that this transaction entered with, or null.
-- A transaction-local setting reads '' after its transaction, and anyone may
-- write anything into it: whatever isn't a digest counts as no key.
create or replace function auth.current_digest()
returns bytea
language sql
stable
parallel safe
set search_path = ''
as $$
  select case
    when current_setting('svc.key_digest', true) ~ '^[0-9a-f]{64}$'
      then decode(current_setting('svc.key_digest', true), 'hex')
  end;
$$;

revoke all on function auth.current_digest() from public;
grant execute on function auth.current_digest() to svc_auth;
comment on function auth.current_digest() is
'SHA-256 digest of the API key in force, 32 bytes, or null.';
