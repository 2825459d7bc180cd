-- A quote of the key's tenant. Another tenant's id is as unknown as one never given.
create or replace function app.require_quote(p_id uuid)
returns app.quotes
language plpgsql
stable
set search_path = ''
as $$
declare
  v_quote app.quotes;
begin
  select *
  into v_quote
  from app.quotes
  where quotes.tenant_id = (select auth.tenant_id()) and quotes.id = p_id;

  if not found then
    raise exception using
      errcode = 'PT404',
      constraint = 'not_found',
      message = 'No quote has this id.';
  end if;
  return v_quote;
end;
$$;

revoke all on function app.require_quote(uuid) from public;
grant execute on function app.require_quote(uuid) to svc_api;
comment on function app.require_quote(uuid) is 'A quote by id. Raises 404.';
