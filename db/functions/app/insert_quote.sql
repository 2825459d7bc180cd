-- Writes a checked quote request as a row of the office's queue.
create or replace function app.insert_quote(p_product app.products, p_body jsonb)
returns app.quotes
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_subject jsonb := p_body -> 'subject';
  v_client jsonb := p_body -> 'client';
  v_borrower jsonb := p_body -> 'borrower';
  v_quote app.quotes;
begin
  insert into app.quotes (
    tenant_id,
    external_reference,
    product_code,
    source,
    subject_line1,
    subject_line2,
    subject_city,
    subject_state,
    subject_county,
    subject_postal_code,
    client_name,
    client_email,
    client_phone,
    borrower_name,
    borrower_email,
    borrower_phone,
    notes,
    metadata
  )
  values (
    p_product.tenant_id,
    p_body ->> 'external_reference',
    p_product.code,
    coalesce(p_body ->> 'source', 'api'),
    v_subject ->> 'line1',
    v_subject ->> 'line2',
    v_subject ->> 'city',
    v_subject ->> 'state',
    v_subject ->> 'county',
    v_subject ->> 'postal_code',
    v_client ->> 'name',
    v_client ->> 'email',
    v_client ->> 'phone',
    v_borrower ->> 'name',
    v_borrower ->> 'email',
    v_borrower ->> 'phone',
    p_body ->> 'notes',
    nullif(p_body -> 'metadata', 'null'::jsonb)
  )
  returning * into v_quote;
  return v_quote;
end;
$$;

revoke all on function app.insert_quote(app.products, jsonb) from public;
grant execute on function app.insert_quote(app.products, jsonb) to svc_api;
comment on function app.insert_quote(app.products, jsonb) is 'Inserts a quote request and gives its row.';
