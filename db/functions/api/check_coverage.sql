-- POST /public/v1/coverage/check
-- An uncovered area is an answer, not an error; so is an inactive product.
create or replace function api.check_coverage(p_key_id uuid, p_body jsonb)
returns api.reply
language plpgsql
stable
set search_path = ''
as $$
declare
  v_product_code text := p_body ->> 'product_code';
  v_is_offered boolean := true;
begin
  if v_product_code is not null then
    v_is_offered := (app.require_product(v_product_code)).is_active;
  end if;

  return app.reply(200, json_build_object(
    'covered', v_is_offered and app.covering_appraisers(
      p_body ->> 'state',
      reference.county_key(p_body ->> 'state', p_body ->> 'county'),
      v_product_code
    ) <> '{}',
    'state', p_body ->> 'state',
    'county', p_body ->> 'county',
    'product_code', v_product_code
  ));
end;
$$;

revoke all on function api.check_coverage(uuid, jsonb) from public;
grant execute on function api.check_coverage(uuid, jsonb) to svc_api;
comment on function api.check_coverage(uuid, jsonb) is
'Operation: whether an active appraiser covers a county. Raises 404.';
