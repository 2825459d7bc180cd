-- A quote as the public API shows it: the one serializer of create, read and look-up.
create or replace function app.quote_json(p_quote app.quotes)
returns json
language sql
stable
set search_path = ''
as $$
  select json_build_object(
    'id', p_quote.id,
    'status', p_quote.status,
    'external_reference', p_quote.external_reference,
    'product_code', p_quote.product_code,
    'fee', p_quote.fee::text,
    'turnaround_days', p_quote.turnaround_days,
    'created_at', app.iso_time(p_quote.created_at),
    'source', p_quote.source
  );
$$;

revoke all on function app.quote_json(app.quotes) from public;
grant execute on function app.quote_json(app.quotes) to svc_api;
comment on function app.quote_json(app.quotes) is 'The public record of a quote.';
