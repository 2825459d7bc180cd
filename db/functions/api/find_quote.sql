-- GET /public/v1/quotes?external_reference=
-- A reference may repeat: the newest quote answers.
create or replace function api.find_quote(p_key_id uuid, p_external_reference text)
returns api.reply
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
  where
    quotes.tenant_id = (select auth.tenant_id())
    and quotes.external_reference = p_external_reference
  order by quotes.created_at desc, quotes.id desc
  limit 1;

  if not found then
    raise exception using
      errcode = 'PT404',
      constraint = 'not_found',
      message = 'No quote has this external_reference.';
  end if;
  return app.reply(200, app.quote_json(v_quote));
end;
$$;

revoke all on function api.find_quote(uuid, text) from public;
grant execute on function api.find_quote(uuid, text) to svc_api;
comment on function api.find_quote(uuid, text) is
'Operation: the newest quote with a caller''s reference. Raises 404.';
