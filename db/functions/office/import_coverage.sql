-- Where appraisers work. Rows that aren't in the file stay, unless it replaces all;
-- of a county in another spelling the new one is kept.
create or replace function office.import_coverage(p_rows jsonb, p_replace boolean default false)
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
    office.cell_faults('coverage', p_rows)
    || office.area_faults(v_areas)
  );

  if p_replace then
    delete from app.coverage
    where
      coverage.tenant_id = v_tenant_id
      and not exists (
        select
        from jsonb_to_recordset(v_areas)
          as kept (appraiser_id uuid, product_code text, state text, county_key text)
        where
          kept.appraiser_id = coverage.appraiser_id
          and coalesce(kept.product_code, '') = coalesce(coverage.product_code, '')
          and kept.state = coverage.state
          and coalesce(kept.county_key, '') = coalesce(coverage.county_key, '')
      );
    get diagnostics v_deleted = row_count;
  end if;

  with written as (
    insert into app.coverage as known (tenant_id, appraiser_id, product_code, state, county)
    select v_tenant_id, given.appraiser_id, given.product_code, given.state, given.county
    from jsonb_to_recordset(v_areas)
      as given (appraiser_id uuid, product_code text, state text, county text)
    on conflict on constraint coverage_area_key do update
    set county = excluded.county
    where known.county is distinct from excluded.county
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

revoke all on function office.import_coverage(jsonb, boolean) from public;
grant execute on function office.import_coverage(jsonb, boolean) to svc_office;
comment on function office.import_coverage(jsonb, boolean) is
'Creates coverage, all rows or none; with p_replace removes what the file lacks. Raises 422 with every fault by line.';
