-- GET /public/v1/leads
-- One lead more than the page holds tells whether there is another page. Each filter has
-- an index that ends in the order of the list.
create or replace function api.list_leads(
  p_key_id uuid,
  p_stage text,
  p_organization_id uuid,
  p_limit integer,
  p_offset integer
)
returns api.reply
language plpgsql
stable
set search_path = ''
as $$
declare
  v_found app.leads[] := array(
    select leads
    from app.leads
    where
      leads.tenant_id = (select auth.tenant_id())
      and (p_stage is null or leads.stage = p_stage)
      and (p_organization_id is null or leads.organization_id = p_organization_id)
    order by leads.created_at desc, leads.id desc
    limit p_limit + 1
    offset p_offset
  );
begin
  return app.page_reply(
    array(
      select app.lead_json(listed)
      from unnest(v_found[:p_limit]) as listed
      order by listed.created_at desc, listed.id desc
    ),
    p_limit,
    p_offset,
    cardinality(v_found) > p_limit
  );
end;
$$;

revoke all on function api.list_leads(uuid, text, uuid, integer, integer) from public;
grant execute on function api.list_leads(uuid, text, uuid, integer, integer) to svc_api;
comment on function api.list_leads(uuid, text, uuid, integer, integer) is
'Operation: a page of leads, the newest first, of one stage or organization.';
