-- Whether the key in force holds a scope, for a second scope within one request:
-- a lead with a nested organization. Security definer: keys can't be read otherwise.
create or replace function auth.holds_scope(p_scope text)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return exists (
    select
    from auth.api_keys
    where
      encode(api_keys.digest, 'hex') = current_setting('svc.key_digest', true)
      and p_scope = any(api_keys.scopes)
  );
end;
$$;

alter function auth.holds_scope(text) owner to svc_auth;
revoke all on function auth.holds_scope(text) from public;
grant execute on function auth.holds_scope(text) to svc_api;
comment on function auth.holds_scope(text) is 'Whether the API key in force holds a scope.';
