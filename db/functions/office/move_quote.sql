-- What became of a quote: accepted or declined by the client, or expired.
create or replace function office.move_quote(p_id uuid, p_status text)
returns app.quotes
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_quote app.quotes;
begin
  update app.quotes
  set status = p_status
  where
    quotes.tenant_id = (select office.tenant_id())
    and quotes.id = p_id
    and quotes.status <> p_status
  returning * into v_quote;

  if not found then
    perform office.refuse_move(p_id, p_status);
  end if;
  return v_quote;
end;
$$;

revoke all on function office.move_quote(uuid, text) from public;
grant execute on function office.move_quote(uuid, text) to svc_office;
comment on function office.move_quote(uuid, text) is
'Moves a quote to accepted, declined or expired. Raises 404 and 409 invalid_transition.';
