-- Who writes organizations takes these locks first: for the keys that the bodies hold,
-- so that of parallel requests with one new key only one finds nobody there, then for
-- the rows that have these keys or ids. Keys before rows, each in one order everywhere:
-- whoever waits, waits for somebody further on. A batch takes all of its locks at once.
-- A key's lock is one of 64 of its tenant, as the server's lock table is small; two
-- keys that share one merely wait for each other.
-- What is read before the locks doesn't count: read in a later statement.
create or replace function app.lock_organizations(
  p_organizations jsonb,
  p_ids uuid[] default '{}'
)
returns void
language plpgsql
volatile
set search_path = ''
as $$
declare
  c_buckets constant integer := 64;
  v_tenant_id uuid := auth.tenant_id();
  v_references text[];
  v_numbers text[];
  v_names text[];
begin
  select
    array_agg(item.body ->> 'external_reference'),
    array_agg(item.body ->> 'account_number'),
    array_agg(item.body ->> 'name')
  into v_references, v_numbers, v_names
  from jsonb_array_elements(p_organizations) as item (body);

  perform pg_advisory_xact_lock(hashtext(v_tenant_id::text), bucket.number)
  from (
    select distinct abs(hashtext(key.kind || key.value) % c_buckets) as number
    from (
      select 'reference ', unnest(v_references)
      union all
      select 'number ', unnest(v_numbers)
      union all
      select 'name ', unnest(v_names)
    ) as key (kind, value)
    where key.value is not null
    order by number
  ) as bucket;

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

revoke all on function app.lock_organizations(jsonb, uuid[]) from public;
grant execute on function app.lock_organizations(jsonb, uuid[]) to svc_api;
comment on function app.lock_organizations(jsonb, uuid[]) is
'Locks the keys of organizations as sent, and the rows with these keys or ids, in order.';
