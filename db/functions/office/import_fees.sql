-- What appraisers charge in USD, and how many days they need. Rows that aren't in the
-- file stay, unless it replaces all.
create or replace function office.import_fees(p_rows jsonb, p_replace boolean default false)
returns json
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_tenant_id uuid := office.lock_imports();
  v_areas jsonb := office.resolve_areas(p_rows);
  v_deleted bigint := 0;
  v_summary json;
begin
  perform office.raise_import_faults(
    office.cell_faults('fees', p_rows)
    || office.area_faults(v_areas)
  );

  if p_replace then
    delete from app.fees
    where
      fees.tenant_id = v_tenant_id
      and not exists (
        select
        from jsonb_to_recordset(v_areas)
          as kept (appraiser_id uuid, product_code text, state text, county_key text)
        where
          kept.appraiser_id = fees.appraiser_id
          and coalesce(kept.product_code, '') = coalesce(fees.product_code, '')
          and coalesce(kept.state, '') = coalesce(fees.state, '')
          and coalesce(kept.county_key, '') = coalesce(fees.county_key, '')
      );
    get diagnostics v_deleted = row_count;
  end if;

  with written as (
    insert into app.fees as known
      (tenant_id, appraiser_id, product_code, state, county, fee, turnaround_days)
    select
      v_tenant_id,
      given.appraiser_id,
      given.product_code,
      given.state,
      given.county,
      given.fee,
      given.turnaround_days
    from jsonb_to_recordset(v_areas) as given (
      appraiser_id uuid,
      product_code text,
      state text,
      county text,
      fee numeric(12, 2),
      turnaround_days integer
    )
    on conflict on constraint fees_area_key do update
    set
      county = excluded.county,
      fee = excluded.fee,
      turnaround_days = excluded.turnaround_days,
      updated_at = now()
    where
      (known.county, known.fee, known.turnaround_days)
      is distinct from (excluded.county, excluded.fee, excluded.turnaround_days)
    returning old.id is null as is_created
  )

  select office.import_summary(
    p_rows,
    count(*) filter (where written.is_created),
    count(*) filter (where not written.is_created),
    v_deleted
  )
  into v_summary
  from written;
  return v_summary;
end;
$$;

revoke all on function office.import_fees(jsonb, boolean) from public;
grant execute on function office.import_fees(jsonb, boolean) to svc_office;
comment on function office.import_fees(jsonb, boolean) is
'Creates and updates fees by area, all rows or none; with p_replace removes what the file lacks. Raises 422 with every fault by line.';
