-- Who covers a county: the coverage check and the fee preview both ask here,
-- so that they can't disagree. A row without county covers its whole state, a row
-- without product covers all; without a product asked, any row counts. The county is
-- given by reference.county_key.
create or replace function app.covering_appraisers(
  p_state text,
  p_county_key text,
  p_product_code text
)
returns uuid[]
language sql
stable
set search_path = ''
as $$
  select coalesce(array_agg(distinct appraisers.id), '{}')
  from app.coverage
  inner join app.appraisers
    on coverage.tenant_id = appraisers.tenant_id
    and coverage.appraiser_id = appraisers.id
  where
    coverage.tenant_id = (select auth.tenant_id())
    and coverage.state = p_state
    and (
      coverage.county_key is null
      or coverage.county_key = p_county_key
    )
    and (
      p_product_code is null
      or coverage.product_code is null
      or coverage.product_code = p_product_code
    )
    and appraisers.is_active
    and appraisers.id = coalesce((select app.default_appraiser_id()), appraisers.id);
$$;

revoke all on function app.covering_appraisers(text, text, text) from public;
grant execute on function app.covering_appraisers(text, text, text) to svc_api;
comment on function app.covering_appraisers(text, text, text) is
'Active appraisers covering a county for a product, or for any when it is null.';
