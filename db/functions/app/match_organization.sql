-- Which of the holders of its keys an organization as sent is: the one with its
-- reference, else its account number, else its name. A reference that differs tells
-- companies apart; without one on either side the other keys decide.
create or replace function app.match_organization(
  p_holders app.organizations[],
  p_body jsonb
)
returns app.organizations
language sql
stable
set search_path = ''
as $$
  select holder
  from unnest(p_holders) as holder
  where
    holder.external_reference is null
    or p_body ->> 'external_reference' is null
    or holder.external_reference = p_body ->> 'external_reference'
  order by
    holder.external_reference = p_body ->> 'external_reference' desc nulls last,
    holder.account_number = p_body ->> 'account_number' desc nulls last
  limit 1;
$$;

revoke all on function app.match_organization(app.organizations[], jsonb) from public;
grant execute on function app.match_organization(app.organizations[], jsonb) to svc_api;
comment on function app.match_organization(app.organizations[], jsonb) is
'The row that an upsert updates, or null when it creates one.';
