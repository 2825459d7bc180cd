-- A lead of the key's tenant. Another tenant's id is as unknown as one never given.
create or replace function app.require_lead(p_id uuid)
returns app.leads
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
  where leads.tenant_id = (select auth.tenant_id()) and leads.id = p_id;

  if not found then
    raise exception using
      errcode = 'PT404',
      constraint = 'not_found',
      message = 'No lead has this id.';
  end if;
  return v_lead;
end;
$$;

revoke all on function app.require_lead(uuid) from public;
grant execute on function app.require_lead(uuid) to svc_api;
comment on function app.require_lead(uuid) is 'A lead by id. Raises 404.';
