-- What is wrong with resolved rows of coverage or fees beyond their single cells.
create or replace function office.area_faults(p_areas jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  with area as (
    select *
    from jsonb_to_recordset(p_areas) as given (
      line integer,
      appraiser text,
      appraiser_id uuid,
      product_code text,
      is_known_product boolean,
      state text,
      county text,
      county_key text
    )
  ),

  fault as (
    select office.import_fault(
      area.line, 'appraiser', 'not_found', format('no appraiser has the reference "%s"', area.appraiser)
    ) as found
    from area
    where area.appraiser is not null and area.appraiser_id is null
    union all
    select office.import_fault(
      area.line, 'product_code', 'not_found', format('no product has the code "%s"', area.product_code)
    )
    from area
    where area.product_code is not null and not area.is_known_product
    union all
    select office.import_fault(area.line, 'state', 'missing', 'required with a county')
    from area
    where area.county is not null and area.state is null
    union all
    select office.import_fault(area.line, 'county', 'county', 'names no county')
    from area
    where area.county_key = ''
  )

  select coalesce(jsonb_agg(fault.found), '[]') || office.repeat_faults((
    select jsonb_agg(jsonb_build_object(
      'line', area.line,
      'column', 'appraiser',
      'key', jsonb_build_array(area.appraiser, area.product_code, area.state, area.county_key)::text
    ))
    from area
    where area.appraiser is not null and (area.county is null or area.county_key <> '')
  ))
  from fault;
$$;

revoke all on function office.area_faults(jsonb) from public;
grant execute on function office.area_faults(jsonb) to svc_office;
comment on function office.area_faults(jsonb) is
'Faults of rows from office.resolve_areas: unknown references, counties without a name, repeats.';
