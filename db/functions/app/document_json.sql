-- A document as the public API shows it, once: in the answer to its upload.
create or replace function app.document_json(p_document app.documents)
returns json
language sql
stable
set search_path = ''
as $$
  select json_build_object(
    'id', p_document.id,
    'file_name', p_document.file_name,
    'created_at', app.iso_time(p_document.created_at),
    'byte_size', p_document.byte_size,
    'content_type', p_document.content_type
  );
$$;

revoke all on function app.document_json(app.documents) from public;
grant execute on function app.document_json(app.documents) to svc_api;
comment on function app.document_json(app.documents) is 'The public record of a document.';
