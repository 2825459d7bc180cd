-- The appraisers of a file; others stay. At most one is the default, and a new one
-- takes over from the old one, whether or not the file names that.
create or replace function office.import_appraisers(p_rows jsonb)
returns json
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_tenant_id uuid := office.lock_imports();
  v_default text;
  v_summary json;
begin
  perform office.raise_import_faults(
    office.cell_faults('appraisers', p_rows)
    || office.repeat_faults((
      select jsonb_agg(jsonb_build_object(
        'line', given -> 'line',
        'column', 'external_reference',
        'key', given -> 'external_reference'
      ))
      from jsonb_array_elements(p_rows) as given
    ))
    || office.default_faults(p_rows)
  );

  select given.external_reference
  into v_default
  from jsonb_to_recordset(p_rows) as given (external_reference text, is_default boolean)
  where given.is_default;

  update app.appraisers
  set is_default = false, updated_at = now()
  where
    appraisers.tenant_id = v_tenant_id
    and appraisers.is_default
    and appraisers.external_reference <> v_default
    and not exists (
      select
      from jsonb_to_recordset(p_rows) as given (external_reference text)
      where given.external_reference = appraisers.external_reference
    );

  -- In order: a row that gives up the default comes before the one that takes it.
  with written as (
    insert into app.appraisers as known
      (tenant_id, external_reference, name, is_active, is_default)
    select
      v_tenant_id,
      given.external_reference,
      given.name,
      given.is_active,
      given.is_default
    from jsonb_to_recordset(p_rows) as given (
      line integer,
      external_reference text,
      name text,
      is_active boolean,
      is_default boolean
    )
    order by given.is_default, given.line
    on conflict (tenant_id, external_reference) do update
    set
      name = excluded.name,
      is_active = excluded.is_active,
      is_default = excluded.is_default,
      updated_at = now()
    where
      (known.name, known.is_active, known.is_default)
      is distinct from (excluded.name, excluded.is_active, excluded.is_default)
    returning old.id is null as is_created
  )

  select office.import_summary(
    p_rows,
    count(*) filter (where written.is_created),
    count(*) filter (where not written.is_created)
  )
  into v_summary
  from written;
  return v_summary;
end;
$$;

revoke all on function office.import_appraisers(jsonb) from public;
grant execute on function office.import_appraisers(jsonb) to svc_office;
comment on function office.import_appraisers(jsonb) is
'Creates and updates appraisers by reference, all or none. Raises 422 with every fault by line.';
