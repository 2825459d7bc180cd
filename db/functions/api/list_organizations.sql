-- GET /public/v1/organizations
-- One id more than the page holds tells whether there is another page.
create or replace function api.list_organizations(
  p_key_id uuid,
  p_q text,
  p_client_type text,
  p_limit integer,
  p_offset integer
)
returns api.reply
language plpgsql
stable
set search_path = ''
as $$
declare
  v_ids uuid[] := app.search_organizations(p_q, p_client_type, p_limit + 1, p_offset);
begin
  return app.page_reply(
    array(
      select app.organization_json(organizations)
      from unnest(v_ids[:p_limit]) with ordinality as hit (id, position)
      inner join app.organizations
        on organizations.tenant_id = (select auth.tenant_id())
        and organizations.id = hit.id
      order by hit.position
    ),
    p_limit,
    p_offset,
    cardinality(v_ids) > p_limit
  );
end;
$$;

revoke all on function api.list_organizations(uuid, text, text, integer, integer) from public;
grant execute on function api.list_organizations(uuid, text, text, integer, integer) to svc_api;
comment on function api.list_organizations(uuid, text, text, integer, integer) is
'Operation: a page of organizations by name, of one type or whose name contains a text.';
