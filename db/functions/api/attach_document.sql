-- POST /public/v1/quotes/{quote_id}/documents, once every scanner found the file clean.
-- The row and its bytes commit together; with an object store the object is there first
-- and p_bytes is null.
create or replace function api.attach_document(
  p_key_id uuid,
  p_quote_id uuid,
  p_document jsonb,
  p_bytes bytea
)
returns api.reply
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_quote app.quotes := app.require_quote(p_quote_id);
  v_document app.documents;
begin
  v_document.tenant_id := v_quote.tenant_id;
  v_document.id := p_document ->> 'id';
  v_document.quote_id := v_quote.id;
  v_document.file_name := p_document ->> 'file_name';
  v_document.content_type := p_document ->> 'content_type';
  v_document.byte_size := p_document ->> 'byte_size';
  v_document.document_type := p_document ->> 'document_type';
  v_document.sha256 := decode(p_document ->> 'sha256', 'hex');
  v_document.storage := p_document ->> 'storage';
  v_document.verdicts := p_document -> 'verdicts';
  v_document.api_key_id := auth.key_id();
  v_document.created_at := now();

  insert into app.documents
  values (v_document.*);

  if v_document.storage = 'postgres' then
    insert into app.document_bytes (tenant_id, document_id, bytes)
    values (v_document.tenant_id, v_document.id, p_bytes);
  end if;

  return app.reply(201, app.document_json(v_document));
end;
$$;

revoke all on function api.attach_document(uuid, uuid, jsonb, bytea) from public;
grant execute on function api.attach_document(uuid, uuid, jsonb, bytea) to svc_api;
comment on function api.attach_document(uuid, uuid, jsonb, bytea) is
'Operation: attaches a scanned file to a quote. Raises 404.';
