-- POST /public/v1/quotes
-- Key, quote and event commit together. The quote enters the office's queue as open;
-- nothing is sent to the client.
create or replace function api.create_quote(
  p_key_id uuid,
  p_idempotency_key text,
  p_fingerprint bytea,
  p_body jsonb
)
returns api.reply
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_reply api.reply := app.claim_idempotency_key(p_idempotency_key, p_fingerprint);
  v_product app.products;
  v_quote app.quotes;
begin
  if v_reply.status is not null then
    return v_reply;
  end if;

  v_product := app.require_active_product(p_body ->> 'product_code');
  v_quote := app.insert_quote(v_product, p_body);

  perform outbox.emit('quote.created', array[jsonb_build_object(
    'id', v_quote.id,
    'external_reference', v_quote.external_reference,
    'action', 'created'
  )]);

  return app.remember_reply(
    p_idempotency_key,
    p_fingerprint,
    app.reply(201, app.quote_json(v_quote))
  );
end;
$$;

revoke all on function api.create_quote(uuid, text, bytea, jsonb) from public;
grant execute on function api.create_quote(uuid, text, bytea, jsonb) to svc_api;
comment on function api.create_quote(uuid, text, bytea, jsonb) is
'Operation: a quote request into the office''s queue. Raises 404, 409 and 422 product_inactive.';
