-- The organizations that have a key of one that was sent: its reference, its account
-- number or its name. All that matching needs to know, in one look for all that were
-- sent. The policy names the tenant; behind it only plain columns are looked up by index.
create or replace function app.key_holders(p_bodies jsonb[])
returns table (ordinal bigint, body jsonb, holder app.organizations)
language plpgsql
stable
set search_path = ''
set plan_cache_mode = 'force_generic_plan'
as $$
begin
  return query
  with sent as materialized (
    select
      entry.position,
      entry.body,
      entry.body ->> 'external_reference' as external_reference,
      entry.body ->> 'account_number' as account_number,
      entry.body ->> 'name' as name
    from unnest(p_bodies) with ordinality as entry (body, position)
  )

  select sent.position, sent.body, organizations
  from sent
  left join app.organizations
    on organizations.external_reference = sent.external_reference
    or organizations.account_number = sent.account_number
    or organizations.name = sent.name;
end;
$$;

revoke all on function app.key_holders(jsonb[]) from public;
grant execute on function app.key_holders(jsonb[]) to svc_api;
comment on function app.key_holders(jsonb[]) is
'Organizations as sent, counted from 1, with each row that has their external_reference, account_number or name.';
