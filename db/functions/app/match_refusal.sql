-- Why an upsert can't go on with its match, if anybody else has one of its keys. An
-- account number says which organization is meant only while one alone has it; that is
-- the first question, unless the reference has answered it.
create or replace function app.match_refusal(
  p_holders app.organizations[],
  p_match app.organizations,
  p_body jsonb
)
returns app.outcome
language plpgsql
stable
set search_path = ''
as $$
declare
  v_is_by_reference boolean := p_match.external_reference = p_body ->> 'external_reference';
  v_others integer := cardinality(p_holders) - (p_match.id is not null)::integer;
  v_sharing integer;
begin
  if v_others = 0 then
    return null;
  end if;

  if v_is_by_reference is not true then
    select count(*)
    into v_sharing
    from unnest(p_holders) as holder
    where holder.account_number = p_body ->> 'account_number';

    if v_sharing > 1 then
      return app.failure(
        'ambiguous_match',
        'Several organizations have this account_number: send an external_reference.'
      );
    end if;
  end if;
  return app.key_conflict(p_holders, p_match.id, p_body);
end;
$$;

revoke all on function app.match_refusal(app.organizations[], app.organizations, jsonb)
from public;
grant execute on function app.match_refusal(app.organizations[], app.organizations, jsonb)
to svc_api;
comment on function app.match_refusal(app.organizations[], app.organizations, jsonb) is
'The error of an upsert whose keys others hold, or null.';
