-- The organizations that have a key of one that was sent: its reference, its account
-- number or its name. All that matching needs to know, in one look for all that were
-- sent. The policy names the tenant.
create or replace function app.key_holders(p_bodies jsonb[])
returns table (ordinal bigint, body jsonb, holders app.organizations[])
language plpgsql
stable
set search_path = ''
set plan_cache_mode = 'force_generic_plan'
as $$
begin
  return query
  select
    sent.position,
    sent.body,
    array(
      select organizations
      from app.organizations
      where
        organizations.external_reference = sent.body ->> 'external_reference'
        or organizations.account_number = sent.body ->> 'account_number'
        or organizations.name = sent.body ->> 'name'
    )
  from unnest(p_bodies) with ordinality as sent (body, position);
end;
$$;

revoke all on function app.key_holders(jsonb[]) from public;
grant execute on function app.key_holders(jsonb[]) to svc_api;
comment on function app.key_holders(jsonb[]) is
'For each organization as sent, from 1, the rows with its external_reference, account_number or name.';
