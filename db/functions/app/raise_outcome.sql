-- Where a request is one row, its failure is the answer.
create or replace function app.raise_outcome(p_outcome app.outcome)
returns app.outcome
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_outcome.action <> 'error' then
    return p_outcome;
  end if;

  raise exception using
    errcode = case p_outcome.error_code
      when 'insufficient_scope' then 'PT403'
      when 'not_found' then 'PT404'
      when 'validation_error' then 'PT422'
      else 'PT409'
    end,
    constraint = p_outcome.error_code,
    message = p_outcome.message,
    detail = coalesce(p_outcome.detail::text, '');
end;
$$;

revoke all on function app.raise_outcome(app.outcome) from public;
grant execute on function app.raise_outcome(app.outcome) to svc_api;
comment on function app.raise_outcome(app.outcome) is
'The outcome when it succeeded. Raises its error otherwise: 403, 404, 409 or 422.';
