-- Why a quote didn't move: it isn't there, or it is where it should go already. The
-- moves that are wrong are refused by the trigger on app.quotes.
create or replace function office.refuse_move(p_id uuid, p_status text)
returns void
language plpgsql
stable
set search_path = ''
as $$
begin
  if exists (
    select
    from app.quotes
    where quotes.tenant_id = (select office.tenant_id()) and quotes.id = p_id
  ) then
    raise exception using
      errcode = 'PT409',
      constraint = 'invalid_transition',
      message = format('This quote is %s already.', p_status);
  end if;

  raise exception using
    errcode = 'PT404',
    constraint = 'not_found',
    message = 'No quote has this id.';
end;
$$;

revoke all on function office.refuse_move(uuid, text) from public;
grant execute on function office.refuse_move(uuid, text) to svc_office;
comment on function office.refuse_move(uuid, text) is 'Raises 404, or 409 invalid_transition.';
