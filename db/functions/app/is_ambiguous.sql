-- An account number says which organization is meant only while one alone has it.
create or replace function app.is_ambiguous(
  p_holders app.organizations[],
  p_match app.organizations,
  p_body jsonb
)
returns boolean
language sql
stable
set search_path = ''
as $$
  select
    (p_match.external_reference = p_body ->> 'external_reference') is not true
    and count(*) > 1
  from unnest(p_holders) as holder
  where holder.account_number = p_body ->> 'account_number';
$$;

revoke all on function app.is_ambiguous(app.organizations[], app.organizations, jsonb) from public;
grant execute on function app.is_ambiguous(app.organizations[], app.organizations, jsonb) to svc_api;
comment on function app.is_ambiguous(app.organizations[], app.organizations, jsonb) is
'Whether an upsert that no reference matches has the account number of several.';
