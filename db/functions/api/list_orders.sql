-- GET /public/v1/orders
-- A look-up by number, not a report: without one of the three there is no list. One
-- order more than asked for is read, to tell whether there are more.
create or replace function api.list_orders(
  p_key_id uuid,
  p_order_number text,
  p_loan_number text,
  p_client_tracking_number text,
  p_limit integer
)
returns api.reply
language plpgsql
stable
set search_path = ''
as $$
declare
  v_found app.orders[];
begin
  if num_nonnulls(p_order_number, p_loan_number, p_client_tracking_number) = 0 then
    raise exception using
      errcode = 'PT400',
      constraint = 'missing_filter',
      message = 'Give order_number, loan_number or client_tracking_number.';
  end if;

  v_found := array(
    select orders
    from app.orders
    where
      orders.tenant_id = (select auth.tenant_id())
      and (p_order_number is null or orders.order_number = p_order_number)
      and (p_loan_number is null or orders.loan_number = p_loan_number)
      and (
        p_client_tracking_number is null
        or orders.client_tracking_number = p_client_tracking_number
      )
    order by orders.updated_at desc, orders.id desc
    limit p_limit + 1
  );

  return app.reply(200, json_build_object(
    'items', (
      select coalesce(
        json_agg(app.order_json(listed) order by listed.updated_at desc, listed.id desc),
        '[]'::json
      )
      from unnest(v_found[:p_limit]) as listed
    ),
    'limit', p_limit,
    'has_more', cardinality(v_found) > p_limit
  ));
end;
$$;

revoke all on function api.list_orders(uuid, text, text, text, integer) from public;
grant execute on function api.list_orders(uuid, text, text, text, integer) to svc_api;
comment on function api.list_orders(uuid, text, text, text, integer) is
'Operation: orders by their numbers, the latest change first. Raises 400 missing_filter.';
