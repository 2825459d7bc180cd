-- GET /public/v1/leads/by-reference?external_reference=
create or replace function api.find_lead(p_key_id uuid, p_external_reference text)
returns api.reply
language plpgsql
stable
set search_path = ''
as $$
declare
  v_lead app.leads;
begin
  select *
  into v_lead
  from app.leads
  where
    leads.tenant_id = (select auth.tenant_id())
    and leads.external_reference = p_external_reference;

  if not found then
    raise exception using
      errcode = 'PT404',
      constraint = 'not_found',
      message = 'No lead has this external_reference.';
  end if;
  return app.reply(200, app.lead_json(v_lead));
end;
$$;

revoke all on function api.find_lead(uuid, text) from public;
grant execute on function api.find_lead(uuid, text) to svc_api;
comment on function api.find_lead(uuid, text) is
'Operation: the lead with a caller''s reference. Raises 404.';
