-- Writes down that a scanner refused a file, and what it was, without its bytes.
create or replace function api.record_rejected_upload(
  p_key_id uuid,
  p_quote_id uuid,
  p_upload jsonb
)
returns api.reply
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_quote app.quotes := app.require_quote(p_quote_id);
  v_id uuid := uuidv7();
begin
  insert into app.rejected_uploads (
    tenant_id,
    id,
    quote_id,
    file_name,
    byte_size,
    sha256,
    rule,
    engine,
    engine_version,
    signature_version,
    api_key_id
  )
  values (
    v_quote.tenant_id,
    v_id,
    v_quote.id,
    p_upload ->> 'file_name',
    (p_upload ->> 'byte_size')::integer,
    decode(p_upload ->> 'sha256', 'hex'),
    p_upload ->> 'rule',
    p_upload ->> 'engine',
    p_upload ->> 'engine_version',
    p_upload ->> 'signature_version',
    auth.key_id()
  );
  return app.reply(201, json_build_object('id', v_id));
end;
$$;

revoke all on function api.record_rejected_upload(uuid, uuid, jsonb) from public;
grant execute on function api.record_rejected_upload(uuid, uuid, jsonb) to svc_api;
comment on function api.record_rejected_upload(uuid, uuid, jsonb) is
'Records a refused upload for the audit. Raises 404.';
