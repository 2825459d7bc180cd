-- The second half of app.lock_organizations, and of whatever else writes organizations.
-- One plan for all: it looks into an index for each kind of key, whatever the keys are, and
-- planning it anew each time takes longer than a single row does.
create or replace function app.lock_organization_rows(p_bodies jsonb[], p_ids uuid[])
returns void
language plpgsql
volatile
set search_path = ''
set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_tenant_id uuid := auth.tenant_id();
  v_references text[];
  v_numbers text[];
  v_names text[];
begin
  select
    array_agg(body ->> 'external_reference'),
    array_agg(body ->> 'account_number'),
    array_agg(body ->> 'name')
  into v_references, v_numbers, v_names
  from unnest(p_bodies) as body;

  perform
  from app.organizations
  where
    organizations.tenant_id = v_tenant_id
    and (
      organizations.external_reference = any(v_references)
      or organizations.account_number = any(v_numbers)
      or organizations.name = any(v_names)
      or organizations.id = any(p_ids)
    )
  order by organizations.id
  for no key update;
end;
$$;

revoke all on function app.lock_organization_rows(jsonb[], uuid[]) from public;
grant execute on function app.lock_organization_rows(jsonb[], uuid[]) to svc_api;
comment on function app.lock_organization_rows(jsonb[], uuid[]) is
'Locks the organizations that have these keys or ids, in order, for writing.';
