-- Nothing of a file is applied while it has a fault, and all are told at once.
create or replace function office.raise_import_faults(p_faults jsonb)
returns void
language plpgsql
volatile
set search_path = ''
as $$
begin
  if p_faults <> '[]' then
    raise exception using
      errcode = 'PT422',
      constraint = 'validation_error',
      message = format('The file has faults: %s. Nothing was imported.', jsonb_array_length(p_faults)),
      detail = (
        select jsonb_agg(fault.found order by (fault.found ->> 'line')::integer, fault.place)
        from jsonb_array_elements(p_faults) with ordinality as fault (found, place)
      );
  end if;
end;
$$;

revoke all on function office.raise_import_faults(jsonb) from public;
grant execute on function office.raise_import_faults(jsonb) to svc_office;
comment on function office.raise_import_faults(jsonb) is
'Raises 422 validation_error with the faults, ordered by line; does nothing without any.';
