-- The products of a file; those of the tenant that aren't in it stay as they are.
-- Cells come as trimmed text, empty ones as null, each row with its line.
create or replace function office.import_products(p_rows jsonb)
returns json
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_tenant_id uuid := office.lock_imports();
  v_summary json;
begin
  perform office.raise_import_faults(
    office.cell_faults('products', p_rows)
    || office.repeat_faults((
      select jsonb_agg(jsonb_build_object(
        'line', given -> 'line',
        'column', 'code',
        'key', given -> 'code'
      ))
      from jsonb_array_elements(p_rows) as given
    ))
  );

  with written as (
    insert into app.products as known (tenant_id, code, name, is_active)
    select v_tenant_id, given.code, given.name, given.is_active
    from jsonb_to_recordset(p_rows) as given (code text, name text, is_active boolean)
    on conflict (tenant_id, code) do update
    set
      name = excluded.name,
      is_active = excluded.is_active,
      updated_at = now()
    where (known.name, known.is_active) is distinct from (excluded.name, excluded.is_active)
    returning old.code is null as is_created
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

revoke all on function office.import_products(jsonb) from public;
grant execute on function office.import_products(jsonb) to svc_office;
comment on function office.import_products(jsonb) is
'Creates and updates products by code, all or none. Raises 422 with every fault by line.';
