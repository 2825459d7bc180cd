-- GET /public/v1/orders/{id}
create or replace function api.read_order(p_key_id uuid, p_order_id uuid)
returns api.reply
language sql
stable
set search_path = ''
as $$
  select app.reply(200, app.order_json(app.require_order(p_order_id)));
$$;

revoke all on function api.read_order(uuid, uuid) from public;
grant execute on function api.read_order(uuid, uuid) to svc_api;
comment on function api.read_order(uuid, uuid) is 'Operation: an order by id. Raises 404.';
