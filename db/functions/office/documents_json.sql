-- The documents of a quote as the office sees them, the oldest first: what each is, and
-- what every scanner said of it.
create or replace function office.documents_json(p_quote app.quotes)
returns json
language sql
stable
set search_path = ''
as $$
  select coalesce(
    json_agg(
      json_build_object(
        'id', documents.id,
        'file_name', documents.file_name,
        'document_type', documents.document_type,
        'content_type', documents.content_type,
        'byte_size', documents.byte_size,
        'sha256', encode(documents.sha256, 'hex'),
        'verdicts', documents.verdicts,
        'created_at', app.iso_time(documents.created_at)
      )
      order by documents.id
    ),
    '[]'::json
  )
  from app.documents
  where documents.tenant_id = p_quote.tenant_id and documents.quote_id = p_quote.id;
$$;

revoke all on function office.documents_json(app.quotes) from public;
grant execute on function office.documents_json(app.quotes) to svc_office;
comment on function office.documents_json(app.quotes) is 'The documents of a quote, for the office.';
