-- Opens an analyst's request: checks the token and puts its digest in force until the
-- transaction ends. Security definer because the caller can't read tokens. What it
-- returns is for the log; it carries no authority. It writes nothing, so that analysts
-- can be served from a replica.
create or replace function auth.enter_analyst(p_digest bytea)
returns uuid
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform set_config('svc.analyst_digest', encode(p_digest, 'hex'), true);

  select analyst_tokens.id
  into v_id
  from auth.analyst_tokens
  where
    analyst_tokens.digest = p_digest
    and analyst_tokens.revoked_at is null
    and (analyst_tokens.expires_at is null or analyst_tokens.expires_at > now());

  if not found then
    raise exception using
      errcode = 'PT401',
      constraint = 'unauthorized',
      message = 'This analyst token is unknown, revoked or expired.';
  end if;
  return v_id;
end;
$$;

alter function auth.enter_analyst(bytea) owner to svc_auth;
revoke all on function auth.enter_analyst(bytea) from public;
grant execute on function auth.enter_analyst(bytea) to svc_analyst;
comment on function auth.enter_analyst(bytea) is
'Checks an analyst token''s digest, puts it in force, and gives the token''s id. Raises 401.';
