-- Who upserts leads takes these locks first, for all of its rows at once: keys of leads
-- and of nested organizations, then organizations, then leads, each in one order. Whoever
-- writes organizations takes its own in the same order, so nobody waits in a circle.
-- An organization that is only referred to is shared with others that refer to it; one
-- mode for all of a request, as a row may be both.
create or replace function app.lock_leads(p_bodies jsonb[])
returns void
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_tenant_id uuid := auth.tenant_id();
  v_nested jsonb[] := array(
    select body -> 'organization'
    from unnest(p_bodies) as body
    where jsonb_typeof(body -> 'organization') = 'object'
  );
  v_references text[];
  v_organization_references text[];
  v_organization_ids uuid[];
begin
  select
    array_agg(body ->> 'external_reference'),
    array_agg(body ->> 'organization_external_reference'),
    array_agg((body ->> 'organization_id')::uuid)
  into v_references, v_organization_references, v_organization_ids
  from unnest(p_bodies) as body;

  perform app.lock_keys(
    array(select unnest(app.organization_keys(body)) from unnest(v_nested) as body)
    || array(select 'lead ' || key from unnest(v_references) as key where key is not null)
  );

  if v_nested = '{}' then
    perform
    from app.organizations
    where
      organizations.tenant_id = v_tenant_id
      and (
        organizations.external_reference = any(v_organization_references)
        or organizations.id = any(v_organization_ids)
      )
    order by organizations.id
    for share;
  else
    perform app.lock_organization_rows(
      v_nested || array(
        select jsonb_build_object('external_reference', key)
        from unnest(v_organization_references) as key
      ),
      v_organization_ids
    );
  end if;

  perform
  from app.leads
  where leads.tenant_id = v_tenant_id and leads.external_reference = any(v_references)
  order by leads.id
  for no key update;
end;
$$;

revoke all on function app.lock_leads(jsonb[]) from public;
grant execute on function app.lock_leads(jsonb[]) to svc_api;
comment on function app.lock_leads(jsonb[]) is
'Locks all that upserts of these leads read and write, in order.';
