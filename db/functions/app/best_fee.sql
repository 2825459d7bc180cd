-- The fee to show for a product in a county: of each of some appraisers the most specific
-- row, of those the lowest fee; on a tie the shorter turnaround, then the older
-- appraiser. No row when none of them has a fee.
create or replace function app.best_fee(
  p_appraiser_ids uuid[],
  p_state text,
  p_county_key text,
  p_product_code text
)
returns table (fee numeric, turnaround_days integer)
language sql
stable
set search_path = ''
as $$
  with specific as (
    select distinct on (fees.appraiser_id)
      fees.appraiser_id,
      fees.fee,
      fees.turnaround_days
    from app.fees
    where
      fees.tenant_id = (select auth.tenant_id())
      and fees.appraiser_id = any(p_appraiser_ids)
      and (fees.product_code is null or fees.product_code = p_product_code)
      and (fees.state is null or fees.state = p_state)
      and (fees.county_key is null or fees.county_key = p_county_key)
    order by
      fees.appraiser_id,
      (fees.product_code is not null) desc,
      (fees.county_key is not null) desc,
      (fees.state is not null) desc
  )

  select specific.fee, specific.turnaround_days
  from specific
  inner join app.appraisers
    on appraisers.tenant_id = (select auth.tenant_id())
    and appraisers.id = specific.appraiser_id
  order by
    specific.fee,
    specific.turnaround_days,
    appraisers.created_at,
    appraisers.id
  limit 1;
$$;

revoke all on function app.best_fee(uuid[], text, text, text) from public;
grant execute on function app.best_fee(uuid[], text, text, text) to svc_api;
comment on function app.best_fee(uuid[], text, text, text) is
'Fee in USD and turnaround in days of some appraisers for a product in a county: one row or none.';
