-- The fields that an organization lacks to be complete.
create or replace function app.missing_fields(p_organization app.organizations)
returns text[]
language plpgsql
stable
set search_path = ''
as $$
declare
  v_values text[] := array[
    p_organization.phone,
    p_organization.email,
    p_organization.website,
    p_organization.address_line1,
    p_organization.city,
    p_organization.state,
    p_organization.postal_code
  ];
begin
  if p_organization.client_type = 'lender' or array_position(v_values, null) is null then
    return '{}';
  end if;
  return array(
    select required.field
    from unnest(app.required_fields(), v_values)
      with ordinality as required (field, value, position)
    where required.value is null
    order by required.position
  );
end;
$$;

revoke all on function app.missing_fields(app.organizations) from public;
grant execute on function app.missing_fields(app.organizations) to svc_api;
comment on function app.missing_fields(app.organizations) is
'Names of required fields that are null; none for a lender.';
