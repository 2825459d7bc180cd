-- An order as the public API shows it: milestones and nothing that the office keeps to
-- itself. The one serializer of read and list.
create or replace function app.order_json(p_order app.orders)
returns json
language sql
stable
set search_path = ''
as $$
  select json_build_object(
    'id', p_order.id,
    'order_number', p_order.order_number,
    'status', p_order.status,
    'channel', p_order.channel,
    'due_date', p_order.due_date,
    'fee', p_order.fee::text,
    'loan_number', p_order.loan_number,
    'client_tracking_number', p_order.client_tracking_number,
    'property_address', p_order.property_address,
    'property_city', p_order.property_city,
    'property_state', p_order.property_state,
    'property_postal', p_order.property_postal,
    'property_county', p_order.property_county,
    'engaging_client_id', p_order.engaging_client_id,
    'lender_id', p_order.lender_id,
    'updated_at', app.iso_time(p_order.updated_at)
  );
$$;

revoke all on function app.order_json(app.orders) from public;
grant execute on function app.order_json(app.orders) to svc_api;
comment on function app.order_json(app.orders) is 'The public record of an order.';
