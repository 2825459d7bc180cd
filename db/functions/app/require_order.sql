-- An order of the key's tenant. Another tenant's id is as unknown as one never given.
create or replace function app.require_order(p_id uuid)
returns app.orders
language plpgsql
stable
set search_path = ''
as $$
declare
  v_order app.orders;
begin
  select *
  into v_order
  from app.orders
  where orders.tenant_id = (select auth.tenant_id()) and orders.id = p_id;

  if not found then
    raise exception using
      errcode = 'PT404',
      constraint = 'not_found',
      message = 'No order has this id.';
  end if;
  return v_order;
end;
$$;

revoke all on function app.require_order(uuid) from public;
grant execute on function app.require_order(uuid) to svc_api;
comment on function app.require_order(uuid) is 'An order by id. Raises 404.';
