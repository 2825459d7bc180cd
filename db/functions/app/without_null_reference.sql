-- A null reference names nobody: in what is matched it's as good as none, and never
-- takes away the reference of the record that is found by another key.
create or replace function app.without_null_reference(p_body jsonb)
returns jsonb
language plpgsql
immutable
parallel safe
set search_path = ''
as $$
begin
  return case
    when p_body ->> 'external_reference' is null then p_body - 'external_reference'
    else p_body
  end;
end;
$$;

revoke all on function app.without_null_reference(jsonb) from public;
grant execute on function app.without_null_reference(jsonb) to svc_api;
comment on function app.without_null_reference(jsonb) is
'An organization or contact as sent, without a reference that is null.';
