-- The failure of an organization inside a lead is the organization's own; only the
-- places of its faults begin further up.
create or replace function app.nested_failure(p_outcome app.outcome)
returns app.outcome
language plpgsql
immutable
set search_path = ''
as $$
begin
  if p_outcome.detail is not null then
    p_outcome.detail := (
      select json_agg(
        jsonb_set(
          fault.entry,
          '{loc}',
          '["body", "organization"]' || ((fault.entry -> 'loc') - 0)
        )
      )
      from jsonb_array_elements(p_outcome.detail::jsonb) as fault (entry)
    );
  end if;
  return p_outcome;
end;
$$;

revoke all on function app.nested_failure(app.outcome) from public;
grant execute on function app.nested_failure(app.outcome) to svc_api;
comment on function app.nested_failure(app.outcome) is
'An organization''s failure with its faults placed inside the lead that holds it.';
