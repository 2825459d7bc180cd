-- POST /public/v1/fees/preview
-- The product comes first, then coverage. A covered area without a fee row has
-- null for fee and turnaround: nothing is made up.
create or replace function api.preview_fee(p_key_id uuid, p_body jsonb)
returns api.reply
language plpgsql
stable
set search_path = ''
as $$
declare
  v_product app.products := app.require_active_product(p_body ->> 'product_code');
  v_state text := p_body -> 'subject' ->> 'state';
  v_county_key text := reference.county_key(v_state, p_body -> 'subject' ->> 'county');
  v_appraiser_ids uuid[] := app.covering_appraisers(v_state, v_county_key, v_product.code);
  v_fee record;
begin
  if v_appraiser_ids = '{}' then
    raise exception using
      errcode = 'PT422',
      constraint = 'coverage_unavailable',
      message = 'No appraiser covers this county for this product.';
  end if;

  select *
  into v_fee
  from app.best_fee(v_appraiser_ids, v_state, v_county_key, v_product.code);

  return app.reply(200, json_build_object(
    'product_code', v_product.code,
    'fee', v_fee.fee::text,
    'currency', 'USD',
    'turnaround_days', v_fee.turnaround_days,
    'covered', true,
    'fee_basis', case
      when app.default_appraiser_id() is null then 'lowest_covering'
      else 'default_appraiser'
    end,
    'notes', case
      when v_fee.fee is null
        then 'This area is covered. The office confirms the fee and the turnaround.'
    end
  ));
end;
$$;

revoke all on function api.preview_fee(uuid, jsonb) from public;
grant execute on function api.preview_fee(uuid, jsonb) to svc_api;
comment on function api.preview_fee(uuid, jsonb) is
'Operation: fee in USD and turnaround in days. Raises 404, 422 product_inactive and coverage_unavailable.';
