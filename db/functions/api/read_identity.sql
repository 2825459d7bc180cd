-- GET /public/v1/me
create or replace function api.read_identity(p_key_id uuid)
returns api.reply
language sql
stable
set search_path = ''
as $$
  select app.reply(200, auth.identity_json());
$$;

revoke all on function api.read_identity(uuid) from public;
grant execute on function api.read_identity(uuid) to svc_api;
comment on function api.read_identity(uuid) is 'Operation: who the key in force is.';
