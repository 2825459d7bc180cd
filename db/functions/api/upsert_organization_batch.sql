-- POST /public/v1/organizations/batch
-- Row by row in the order of the request, in one transaction: a row that fails is listed
-- and leaves nothing, and the others stay.
create or replace function api.upsert_organization_batch(
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
  v_results json[] := '{}';
  v_item jsonb;
begin
  if v_reply.status is not null then
    return v_reply;
  end if;

  perform app.lock_organizations(p_body -> 'items');
  for v_item in select jsonb_array_elements(p_body -> 'items')
  loop
    v_results := v_results || app.outcome_json(
      cardinality(v_results),
      v_item ->> 'external_reference',
      app.upsert_organization(v_item)
    );
  end loop;

  return app.remember_reply(
    p_idempotency_key,
    p_fingerprint,
    app.reply(200, json_build_object('results', to_json(v_results)))
  );
end;
$$;

revoke all on function api.upsert_organization_batch(uuid, text, bytea, jsonb) from public;
grant execute on function api.upsert_organization_batch(uuid, text, bytea, jsonb) to svc_api;
comment on function api.upsert_organization_batch(uuid, text, bytea, jsonb) is
'Operation: up to a hundred organizations, each created, updated or refused by itself. Raises 409.';
