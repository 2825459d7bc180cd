-- Who writes leads takes these locks first: the organizations that the leads name, then
-- the leads' own references, then the rows that have them. Organizations before leads
-- and each in one order everywhere, so that whoever waits, waits for somebody further
-- on. A reference's lock is one of 64 of its tenant, as an organization's key's is.
create or replace function app.lock_leads(p_leads jsonb)
returns void
language plpgsql
volatile
set search_path = ''
as $$
declare
  c_buckets constant integer := 64;
  v_tenant_id uuid := auth.tenant_id();
  v_organizations jsonb;
  v_organization_ids uuid[];
  v_references text[];
begin
  select
    coalesce(
      jsonb_agg(item.body -> 'organization')
      filter (where jsonb_typeof(item.body -> 'organization') = 'object'),
      '[]'
    ) || coalesce(
      jsonb_agg(jsonb_build_object(
        'external_reference', item.body -> 'organization_external_reference'
      ))
      filter (where item.body ->> 'organization_external_reference' is not null),
      '[]'
    ),
    array_agg((item.body ->> 'organization_id')::uuid),
    array_agg(item.body ->> 'external_reference')
  into v_organizations, v_organization_ids, v_references
  from jsonb_array_elements(p_leads) as item (body);

  perform app.lock_organizations(v_organizations, v_organization_ids);

  perform pg_advisory_xact_lock(hashtext('lead ' || v_tenant_id), bucket.number)
  from (
    select distinct abs(hashtext(key.value) % c_buckets) as number
    from unnest(v_references) as key (value)
    where key.value is not null
    order by number
  ) as bucket;

  perform
  from app.leads
  where
    leads.tenant_id = v_tenant_id
    and leads.external_reference = any(v_references)
  order by leads.id
  for no key update;
end;
$$;

revoke all on function app.lock_leads(jsonb) from public;
grant execute on function app.lock_leads(jsonb) to svc_api;
comment on function app.lock_leads(jsonb) is
'Locks the organizations and the references that leads as sent name, in order.';
