-- An upsert must be complete by itself, whatever the record has that it matches: what
-- it leaves out of the required fields counts as blank. A lender may leave them out.
create or replace function app.with_blanks(p_body jsonb)
returns jsonb
language plpgsql
immutable
parallel safe
set search_path = ''
as $$
begin
  return case
    when p_body ->> 'client_type' = 'lender' then p_body
    else jsonb_object(
      app.required_fields(),
      array_fill(null::text, array[cardinality(app.required_fields())])
    ) || p_body
  end;
end;
$$;

revoke all on function app.with_blanks(jsonb) from public;
grant execute on function app.with_blanks(jsonb) to svc_api;
comment on function app.with_blanks(jsonb) is
'An organization as sent, with null for each required field that it lacks.';
