-- What organizations as sent are matched by, each key with its kind, for app.lock_keys.
create or replace function app.organization_keys(p_organizations jsonb)
returns text[]
language sql
immutable
parallel safe
set search_path = ''
as $$
  select coalesce(array_agg(key.kind || key.value), '{}')
  from jsonb_array_elements(p_organizations) as item (body)
  cross join lateral (
    values
      ('reference ', item.body ->> 'external_reference'),
      ('number ', item.body ->> 'account_number'),
      ('name ', item.body ->> 'name')
  ) as key (kind, value)
  where key.value is not null;
$$;

revoke all on function app.organization_keys(jsonb) from public;
grant execute on function app.organization_keys(jsonb) to svc_api;
comment on function app.organization_keys(jsonb) is
'References, account numbers and names of organizations as sent.';
