-- The organization that a lead names: by id, by reference, or as a nested organization,
-- which is upserted into the directory and needs a scope of its own. An outcome like any
-- upsert's: the id, or the error that refuses the lead.
create or replace function app.place_lead(p_body jsonb)
returns app.outcome
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_organization_id uuid;
begin
  if jsonb_typeof(p_body -> 'organization') = 'object' then
    if not auth.holds_scope('organizations:write') then
      return app.failure(
        'insufficient_scope',
        'A lead with a nested organization needs the scope organizations:write, too.',
        json_build_object('scope', 'organizations:write')
      );
    end if;
    return app.nested_failure(
      (app.upsert_organizations(array[p_body -> 'organization']))[1]
    );
  end if;

  select organizations.id
  into v_organization_id
  from app.organizations
  where
    organizations.tenant_id = (select auth.tenant_id())
    and organizations.id = (p_body ->> 'organization_id')::uuid;

  if v_organization_id is null then
    select organizations.id
    into v_organization_id
    from app.organizations
    where
      organizations.tenant_id = (select auth.tenant_id())
      and organizations.external_reference = p_body ->> 'organization_external_reference';
  end if;

  if v_organization_id is null then
    return app.failure('not_found', 'The lead names an organization that is not known.');
  end if;
  return row('updated', v_organization_id, null, null, null)::app.outcome;
end;
$$;

revoke all on function app.place_lead(jsonb) from public;
grant execute on function app.place_lead(jsonb) to svc_api;
comment on function app.place_lead(jsonb) is
'Finds, or creates and updates, the organization of a lead as sent.';
