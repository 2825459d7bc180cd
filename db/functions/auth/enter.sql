-- Opens a request: puts the key's digest in force until the transaction ends, and
-- checks the key and its scope. Security definer because the caller can't read keys;
-- the policy on keys shows these functions the one in force. A refusal takes the
-- setting back with it. What it returns is for the log; it carries no authority.
create or replace function auth.enter(p_digest bytea, p_scope text default null)
returns uuid
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_id uuid;
  v_scopes text[];
begin
  perform set_config('svc.key_digest', coalesce(encode(p_digest, 'hex'), ''), true);

  select api_keys.id, api_keys.scopes
  into v_id, v_scopes
  from auth.api_keys
  where
    api_keys.digest = p_digest
    and api_keys.revoked_at is null
    and (api_keys.expires_at is null or api_keys.expires_at > now());

  if not found then
    raise exception using
      errcode = 'PT401',
      constraint = 'unauthorized',
      message = 'This API key is unknown, revoked or expired.';
  end if;

  if p_scope is not null and p_scope <> all(v_scopes) then
    raise exception using
      errcode = 'PT403',
      constraint = 'insufficient_scope',
      message = format('This API key lacks the scope %s.', p_scope),
      detail = json_build_object('scope', p_scope);
  end if;

  return v_id;
end;
$$;

alter function auth.enter(bytea, text) owner to svc_auth;
revoke all on function auth.enter(bytea, text) from public;
grant execute on function auth.enter(bytea, text) to svc_api;
comment on function auth.enter(bytea, text) is
'Checks a key''s digest and scope (null: any), puts it in force, and gives the key''s id. Raises 401 and 403.';
