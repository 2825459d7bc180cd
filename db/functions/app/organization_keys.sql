-- What an organization as sent is matched by, each key with its kind, for app.lock_keys.
create or replace function app.organization_keys(p_body jsonb)
returns text[]
language plpgsql
immutable
parallel safe
set search_path = ''
as $$
begin
  return array_remove(
    array[
      'reference ' || (p_body ->> 'external_reference'),
      'number ' || (p_body ->> 'account_number'),
      'name ' || (p_body ->> 'name')
    ],
    null
  );
end;
$$;

revoke all on function app.organization_keys(jsonb) from public;
grant execute on function app.organization_keys(jsonb) to svc_api;
comment on function app.organization_keys(jsonb) is
'Reference, account number and name of an organization as sent.';
