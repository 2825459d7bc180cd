-- The digest of the analyst's token that this transaction entered with, or null.
-- Anyone may write anything into a setting: whatever isn't a digest counts as no token.
create or replace function auth.current_analyst_digest()
returns bytea
language sql
stable
parallel safe
set search_path = ''
as $$
  select case
    when current_setting('svc.analyst_digest', true) ~ '^[0-9a-f]{64}$'
      then decode(current_setting('svc.analyst_digest', true), 'hex')
  end;
$$;

revoke all on function auth.current_analyst_digest() from public;
grant execute on function auth.current_analyst_digest() to svc_auth;
comment on function auth.current_analyst_digest() is
'SHA-256 digest of the analyst''s token in force, 32 bytes, or null.';
