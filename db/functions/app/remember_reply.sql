-- Keeps an answer under its Idempotency-Key, in the transaction of the change.
create or replace function app.remember_reply(
  p_key text,
  p_fingerprint bytea,
  p_reply api.reply
)
returns api.reply
language plpgsql
volatile
set search_path = ''
as $$
begin
  insert into app.idempotency_keys (tenant_id, key, fingerprint, status, body)
  values (auth.tenant_id(), p_key, p_fingerprint, p_reply.status, p_reply.body);
  return p_reply;
end;
$$;

revoke all on function app.remember_reply(text, bytea, api.reply) from public;
grant execute on function app.remember_reply(text, bytea, api.reply) to svc_api;
comment on function app.remember_reply(text, bytea, api.reply) is
'Stores a first answer for replay and hands it on.';
