-- The keys that an organization can't have because another has them. A reference and a
-- name belong to one alone; an account number may be shared unless the other has a
-- reference of its own.
create or replace function app.key_conflict(
  p_holders app.organizations[],
  p_id uuid,
  p_body jsonb
)
returns app.outcome
language sql
stable
set search_path = ''
as $$
  select case
    when bool_or(holder.external_reference = p_body ->> 'external_reference')
      then app.failure('conflict', 'Another organization has this external_reference.')
    when bool_or(
      holder.account_number = p_body ->> 'account_number'
      and holder.external_reference is not null
    )
      then app.failure(
        'external_reference_conflict',
        'This account_number is tied to another external_reference.'
      )
    when bool_or(holder.name = p_body ->> 'name')
      then app.failure('name_conflict', 'Another organization has this name.')
  end
  from unnest(p_holders) as holder
  where holder.id is distinct from p_id;
$$;

revoke all on function app.key_conflict(app.organizations[], uuid, jsonb) from public;
grant execute on function app.key_conflict(app.organizations[], uuid, jsonb) to svc_api;
comment on function app.key_conflict(app.organizations[], uuid, jsonb) is
'The error of a key that another row than p_id has, or null.';
