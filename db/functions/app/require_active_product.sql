-- A product that can be quoted now.
create or replace function app.require_active_product(p_code text)
returns app.products
language plpgsql
stable
set search_path = ''
as $$
declare
  v_product app.products := app.require_product(p_code);
begin
  if not v_product.is_active then
    raise exception using
      errcode = 'PT422',
      constraint = 'product_inactive',
      message = 'This product is not offered at present.';
  end if;
  return v_product;
end;
$$;

revoke all on function app.require_active_product(text) from public;
grant execute on function app.require_active_product(text) to svc_api;
comment on function app.require_active_product(text) is
'A product by code that is active. Raises 404 and 422 product_inactive.';
