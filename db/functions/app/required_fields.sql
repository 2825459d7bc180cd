-- What everybody but a lender must have, in the order in which faults are listed. The
-- constraint organizations_complete says the same of the table; a test compares them.
create or replace function app.required_fields()
returns text[]
language sql
immutable
parallel safe
set search_path = ''
as $$
  select array[
    'phone', 'email', 'website', 'address_line1', 'city', 'state', 'postal_code'
  ];
$$;

revoke all on function app.required_fields() from public;
grant execute on function app.required_fields() to svc_api;
comment on function app.required_fields() is
'Fields that an organization needs unless it is a lender.';
