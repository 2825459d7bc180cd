-- POST /public/v1/quotes/{quote_id}/documents, before the body is read: the key may
-- attach files and the quote is there. Gives the document its id, which names its place
-- in an object store.
create or replace function api.check_upload(p_key_id uuid, p_quote_id uuid)
returns api.reply
language sql
volatile
set search_path = ''
as $$
  select app.reply(
    200,
    json_build_object(
      'tenant_id', (app.require_quote(p_quote_id)).tenant_id,
      'document_id', uuidv7()
    )
  );
$$;

revoke all on function api.check_upload(uuid, uuid) from public;
grant execute on function api.check_upload(uuid, uuid) to svc_api;
comment on function api.check_upload(uuid, uuid) is
'Operation: may a file be attached to this quote? Raises 404.';
