-- GET /public/v1/products
create or replace function api.list_products(p_key_id uuid)
returns api.reply
language sql
stable
set search_path = ''
as $$
  select app.reply(
    200,
    coalesce(
      json_agg(
        json_build_object(
          'code', products.code,
          'name', products.name,
          'is_active', products.is_active
        )
        order by products.name, products.code
      ),
      '[]'::json
    )
  )
  from app.products
  where products.tenant_id = (select auth.tenant_id()) and products.is_active;
$$;

revoke all on function api.list_products(uuid) from public;
grant execute on function api.list_products(uuid) to svc_api;
comment on function api.list_products(uuid) is 'Operation: the active products, by name.';
