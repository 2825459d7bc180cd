-- Rows of coverage and fees with what they refer to: the appraiser's id, whether the
-- product is known, and the county's key, which costs, so once for each spelling.
create or replace function office.resolve_areas(p_rows jsonb)
returns jsonb
language sql
stable
set search_path = ''
as $$
  with given as materialized (
    select
      rows.cells,
      upper(rows.cells ->> 'state') as state,
      rows.cells ->> 'county' as county
    from jsonb_array_elements(p_rows) as rows (cells)
  ),

  counties as materialized (
    select spelled.state, spelled.county, reference.county_key(spelled.state, spelled.county) as key
    from (select distinct given.state, given.county from given) as spelled
  )

  select coalesce(
    jsonb_agg(given.cells || jsonb_build_object(
      'state', given.state,
      'county_key', counties.key,
      'appraiser_id', appraisers.id,
      'is_known_product', products.code is not null
    )),
    '[]'
  )
  from given
  left join counties
    on given.state = counties.state
    and given.county = counties.county
  left join app.appraisers
    on appraisers.tenant_id = (select office.tenant_id())
    and appraisers.external_reference = given.cells ->> 'appraiser'
  left join app.products
    on products.tenant_id = (select office.tenant_id())
    and products.code = given.cells ->> 'product_code';
$$;

revoke all on function office.resolve_areas(jsonb) from public;
grant execute on function office.resolve_areas(jsonb) to svc_office;
comment on function office.resolve_areas(jsonb) is
'Rows with state in upper case, county_key, appraiser_id and is_known_product added.';
