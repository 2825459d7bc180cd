-- Which row each organization as sent is, of those that hold one of its keys: the one
-- with its reference, else its account number, else its name. A reference that differs
-- tells companies apart; without one on either side the other keys decide. Whose keys
-- others hold may be refused.
-- It stops before the first one that has a key or a holder in common with one before it:
-- what that one is depends on what is written for the other. So the rest is for another
-- look, after these are saved.
create or replace function app.match_organizations(p_bodies jsonb[])
returns app.organization_change[]
language plpgsql
stable
set search_path = ''
set plan_cache_mode = 'force_generic_plan'
as $$
begin
  return array(
    with held as materialized (
      select key_holders.*
      from app.key_holders(
        array(select app.without_null_reference(sent) from unnest(p_bodies) as sent)
      ) as key_holders
    ),

    common as (
      select held.ordinal, min(held.ordinal) over (partition by key) as first_ordinal
      from held
      cross join lateral unnest(
        app.organization_keys(held.body)
        || array(select 'id ' || holder.id from unnest(held.holders) as holder)
      ) as key
    )

    select row(
      found.match,
      jsonb_populate_record(
        found.match,
        app.with_blanks(held.body)
        || jsonb_build_object('id', coalesce((found.match).id, uuidv7()))
      ),
      held.body -> 'contacts',
      '{}',
      app.match_refusal(held.holders, found.match, held.body)
    )::app.organization_change
    from held
    left join lateral (
      select holder as match
      from unnest(held.holders) as holder
      where
        holder.external_reference is null
        or held.body ->> 'external_reference' is null
        or holder.external_reference = held.body ->> 'external_reference'
      order by
        holder.external_reference = held.body ->> 'external_reference' desc nulls last,
        holder.account_number = held.body ->> 'account_number' desc nulls last
      limit 1
    ) as found on true
    where
      held.ordinal = 1
      or (
        select min(common.ordinal)
        from common
        where common.ordinal > common.first_ordinal
      ) > held.ordinal is not false
    order by held.ordinal
  );
end;
$$;

revoke all on function app.match_organizations(jsonb[]) from public;
grant execute on function app.match_organizations(jsonb[]) to svc_api;
comment on function app.match_organizations(jsonb[]) is
'The first of these organizations as changes of the rows that they are, as many as don''t depend on each other.';
