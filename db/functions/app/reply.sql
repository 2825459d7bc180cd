-- Builds the answer of an operation: status and JSON text as it goes to the socket.
create or replace function app.reply(p_status integer, p_body json)
returns api.reply
language sql
immutable
parallel safe
set search_path = ''
as $$
  select row(p_status, p_body::text, false)::api.reply;
$$;

revoke all on function app.reply(integer, json) from public;
grant execute on function app.reply(integer, json) to svc_api;
comment on function app.reply(integer, json) is 'A first answer: HTTP status and JSON body.';
