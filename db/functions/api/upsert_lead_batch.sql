-- POST /public/v1/leads/batch
-- Row by row in the order of the request, in one transaction: a row that fails is listed
-- and leaves nothing, its nested organization included, and the others stay.
create or replace function api.upsert_lead_batch(
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
  v_items jsonb[] := array(select jsonb_array_elements(p_body -> 'items'));
  v_outcomes app.outcome[] := '{}';
  v_item jsonb;
begin
  if v_reply.status is not null then
    return v_reply;
  end if;

  perform app.lock_leads(v_items);
  foreach v_item in array v_items
  loop
    v_outcomes := v_outcomes || app.upsert_lead(v_item);
  end loop;

  return app.remember_reply(
    p_idempotency_key,
    p_fingerprint,
    app.reply(200, app.batch_json(v_items, v_outcomes))
  );
end;
$$;

revoke all on function api.upsert_lead_batch(uuid, text, bytea, jsonb) from public;
grant execute on function api.upsert_lead_batch(uuid, text, bytea, jsonb) to svc_api;
comment on function api.upsert_lead_batch(uuid, text, bytea, jsonb) is
'Operation: up to a hundred leads, each created, updated or refused by itself. Raises 409.';
