-- POST /public/v1/organizations
create or replace function api.upsert_organization(
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
  v_outcome app.outcome;
begin
  if v_reply.status is not null then
    return v_reply;
  end if;

  perform app.lock_organizations(array[p_body]);
  v_outcome := app.raise_outcome((app.upsert_organizations(array[p_body]))[1]);
  return app.remember_reply(
    p_idempotency_key,
    p_fingerprint,
    app.saved_reply(
      v_outcome.action,
      app.organization_json(app.require_organization(v_outcome.id))
    )
  );
end;
$$;

revoke all on function api.upsert_organization(uuid, text, bytea, jsonb) from public;
grant execute on function api.upsert_organization(uuid, text, bytea, jsonb) to svc_api;
comment on function api.upsert_organization(uuid, text, bytea, jsonb) is
'Operation: an organization, created or updated. Raises 409 and 422.';
