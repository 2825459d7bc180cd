-- The organizations that have a key of the one that was sent: its reference, its account
-- number or its name. All that matching needs to know, in one look. The policy names
-- the tenant.
create or replace function app.key_holders(p_body jsonb)
returns app.organizations[]
language plpgsql
stable
set search_path = ''
as $$
declare
  v_reference text := p_body ->> 'external_reference';
  v_number text := p_body ->> 'account_number';
  v_name text := p_body ->> 'name';
begin
  return array(
    select organizations
    from app.organizations
    where
      organizations.external_reference = v_reference
      or organizations.account_number = v_number
      or organizations.name = v_name
  );
end;
$$;

revoke all on function app.key_holders(jsonb) from public;
grant execute on function app.key_holders(jsonb) to svc_api;
comment on function app.key_holders(jsonb) is
'Rows with the external_reference, account_number or name of an organization as sent.';
