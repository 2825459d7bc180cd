-- The id of the key in force. Rows that say who did something are checked against it,
-- so that the API's role can't write another key's name under its deeds.
-- Security definer: keys can't be read otherwise.
create or replace function auth.key_id()
returns uuid
language plpgsql
stable
parallel safe
security definer
set search_path = ''
as $$
begin
  return (
    select api_keys.id
    from auth.api_keys
    where encode(api_keys.digest, 'hex') = current_setting('svc.key_digest', true)
  );
end;
$$;

alter function auth.key_id() owner to svc_auth;
revoke all on function auth.key_id() from public;
grant execute on function auth.key_id() to svc_api;
comment on function auth.key_id() is 'Id of the API key in force, or null.';
