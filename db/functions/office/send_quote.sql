-- The office has filled in fee and turnaround, and has sent the quote to its client.
create or replace function office.send_quote(
  p_id uuid,
  p_fee numeric,
  p_turnaround_days integer default null
)
returns app.quotes
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_quote app.quotes;
begin
  if p_fee is null then
    raise exception using
      errcode = 'PT422',
      constraint = 'validation_error',
      message = 'A quote is sent with its fee.';
  end if;

  update app.quotes
  set
    status = 'sent',
    fee = p_fee,
    turnaround_days = p_turnaround_days
  where
    quotes.tenant_id = (select office.tenant_id())
    and quotes.id = p_id
    and quotes.status <> 'sent'
  returning * into v_quote;

  if not found then
    perform office.refuse_move(p_id, 'sent');
  end if;
  return v_quote;
end;
$$;

revoke all on function office.send_quote(uuid, numeric, integer) from public;
grant execute on function office.send_quote(uuid, numeric, integer) to svc_office;
comment on function office.send_quote(uuid, numeric, integer) is
'Moves an open quote to sent, with its fee in USD and turnaround in days. Raises 404, 409 and 422.';
