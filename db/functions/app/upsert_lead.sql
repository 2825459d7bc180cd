-- The core of a lead's upsert, in a request of its own and in a batch. Nothing can fail
-- once the organization is in its place, so a row that fails leaves nothing. A lead is
-- matched by its reference alone; fields that were left out stay. The caller has taken
-- app.lock_leads, for all of its rows at once.
create or replace function app.upsert_lead(p_body jsonb)
returns app.outcome
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_place app.outcome := app.place_lead(p_body);
  v_lead app.leads;
begin
  if v_place.action = 'error' then
    return v_place;
  end if;

  select *
  into v_lead
  from app.leads
  where
    leads.tenant_id = (select auth.tenant_id())
    and leads.external_reference = p_body ->> 'external_reference';

  return app.save_lead(v_lead, p_body, v_place.id);
end;
$$;

revoke all on function app.upsert_lead(jsonb) from public;
grant execute on function app.upsert_lead(jsonb) to svc_api;
comment on function app.upsert_lead(jsonb) is
'Creates or updates a lead, with its event; or the error that refuses it.';
