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
        app.organization_keys(held.body) || ('id ' || (held.holder).id)
      ) as key
      where key is not null
    ),

    found as (
      select
        held.ordinal,
        any_value(held.body) as body,
        coalesce(array_agg(held.holder) filter (where (held.holder).id is not null), '{}')
          as holders,
        (
          array_agg(
            held.holder
            order by
              (held.holder).external_reference = held.body ->> 'external_reference'
              desc nulls last,
              (held.holder).account_number = held.body ->> 'account_number' desc nulls last
          ) filter (
            where
            (held.holder).external_reference is null
            or held.body ->> 'external_reference' is null
            or (held.holder).external_reference = held.body ->> 'external_reference'
          )
        )[1] as match
      from held
      where
        held.ordinal = 1
        or held.ordinal < (
          select min(common.ordinal)
          from common
          where common.ordinal > common.first_ordinal
        ) is not false
      group by held.ordinal
    )

    select row(
      found.match,
      jsonb_populate_record(
        found.match,
        app.with_blanks(found.body)
        || jsonb_build_object('id', coalesce((found.match).id, uuidv7()))
      ),
      found.body -> 'contacts',
      '{}',
      app.match_refusal(found.holders, found.match, found.body)
    )::app.organization_change
    from found
    order by found.ordinal
  );
end;
$$;

revoke all on function app.match_organizations(jsonb[]) from public;
grant execute on function app.match_organizations(jsonb[]) to svc_api;
comment on function app.match_organizations(jsonb[]) is
'The first of these organizations as changes of the rows that they are, as many as don''t depend on each other.';
