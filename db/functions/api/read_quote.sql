-- GET /public/v1/quotes/{quote_id}
create or replace function api.read_quote(p_key_id uuid, p_quote_id uuid)
returns api.reply
language sql
stable
set search_path = ''
as $$
  select app.reply(200, app.quote_json(app.require_quote(p_quote_id)));
$$;

revoke all on function api.read_quote(uuid, uuid) from public;
grant execute on function api.read_quote(uuid, uuid) to svc_api;
comment on function api.read_quote(uuid, uuid) is 'Operation: a quote by id. Raises 404.';
