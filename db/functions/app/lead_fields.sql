-- Of a lead as sent, what goes into its row as it is: not the organization, which is
-- resolved first, and nothing that a caller can't set.
create or replace function app.lead_fields(p_body jsonb)
returns jsonb
language sql
immutable
parallel safe
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(field.name, field.value), '{}')
  from jsonb_each(p_body) as field (name, value)
  where field.name in (
    'external_reference', 'external_source', 'title', 'amount_cents', 'notes'
  );
$$;

revoke all on function app.lead_fields(jsonb) from public;
grant execute on function app.lead_fields(jsonb) to svc_api;
comment on function app.lead_fields(jsonb) is 'The fields of a lead as sent that its row takes over.';
