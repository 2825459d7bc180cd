-- A quote as the office sees it, whole: with people, notes, metadata, its history and
-- its documents. Never for the public API, which shows app.quote_json.
create or replace function office.quote_detail_json(p_quote app.quotes)
returns json
language sql
stable
set search_path = ''
as $$
  select json_build_object(
    'id', p_quote.id,
    'tenant', (select tenants.slug from app.tenants where tenants.id = p_quote.tenant_id),
    'status', p_quote.status,
    'external_reference', p_quote.external_reference,
    'product_code', p_quote.product_code,
    'fee', p_quote.fee::text,
    'turnaround_days', p_quote.turnaround_days,
    'source', p_quote.source,
    'schema_version', p_quote.schema_version,
    'subject', json_build_object(
      'line1', p_quote.subject_line1,
      'line2', p_quote.subject_line2,
      'city', p_quote.subject_city,
      'state', p_quote.subject_state,
      'county', p_quote.subject_county,
      'postal_code', p_quote.subject_postal_code
    ),
    'client', json_build_object(
      'name', p_quote.client_name,
      'email', p_quote.client_email,
      'phone', p_quote.client_phone
    ),
    'borrower', json_build_object(
      'name', p_quote.borrower_name,
      'email', p_quote.borrower_email,
      'phone', p_quote.borrower_phone
    ),
    'notes', p_quote.notes,
    'metadata', p_quote.metadata,
    'created_at', app.iso_time(p_quote.created_at),
    'updated_at', app.iso_time(p_quote.updated_at),
    'status_changed_at', app.iso_time(p_quote.status_changed_at),
    'status_history', (
      select json_agg(
        json_build_object(
          'from_status', changes.from_status,
          'to_status', changes.to_status,
          'changed_by', changes.changed_by,
          'changed_at', app.iso_time(changes.changed_at)
        )
        order by changes.id
      )
      from app.quote_status_changes as changes
      where changes.tenant_id = p_quote.tenant_id and changes.quote_id = p_quote.id
    ),
    'documents', office.documents_json(p_quote)
  );
$$;

revoke all on function office.quote_detail_json(app.quotes) from public;
grant execute on function office.quote_detail_json(app.quotes) to svc_office;
comment on function office.quote_detail_json(app.quotes) is
'The whole record of a quote for the office.';
