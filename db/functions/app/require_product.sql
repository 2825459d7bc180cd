-- The product of a code, active or not; callers decide what inactive means to them.
create or replace function app.require_product(p_code text)
returns app.products
language plpgsql
stable
set search_path = ''
as $$
declare
  v_product app.products;
begin
  select *
  into v_product
  from app.products
  where products.tenant_id = (select auth.tenant_id()) and products.code = p_code;

  if not found then
    raise exception using
      errcode = 'PT404',
      constraint = 'not_found',
      message = 'No product has this code.';
  end if;
  return v_product;
end;
$$;

revoke all on function app.require_product(text) from public;
grant execute on function app.require_product(text) to svc_api;
comment on function app.require_product(text) is 'A product by code. Raises 404.';
