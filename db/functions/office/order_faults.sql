-- Orders belong to organizations of the directory, found by their external reference.
create or replace function office.order_faults(p_rows jsonb)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select coalesce(
    jsonb_agg(office.import_fault(
      (given.cells ->> 'line')::integer,
      referred.column,
      'not_found',
      format('no organization has the reference "%s"', given.cells ->> referred.column)
    )),
    '[]'
  )
  from jsonb_array_elements(p_rows) as given (cells)
  cross join (
    values ('engaging_client_external_reference'), ('lender_external_reference')
  ) as referred ("column")
  left join app.organizations
    on organizations.tenant_id = (select office.tenant_id())
    and organizations.external_reference = given.cells ->> referred.column
  where given.cells ->> referred.column is not null and organizations.id is null;
$$;

revoke all on function office.order_faults(jsonb) from public;
grant execute on function office.order_faults(jsonb) to svc_office;
comment on function office.order_faults(jsonb) is
'Faults of rows that refer to an organization that the tenant hasn''t.';
