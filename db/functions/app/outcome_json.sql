-- A row of a batch's answer. The reference is the caller's, to know its row again.
create or replace function app.outcome_json(
  p_index bigint,
  p_external_reference text,
  p_outcome app.outcome
)
returns json
language sql
immutable
parallel safe
set search_path = ''
as $$
  select json_build_object(
    'index', p_index,
    'external_reference', p_external_reference,
    'action', p_outcome.action,
    'id', p_outcome.id,
    'error_code', p_outcome.error_code,
    'message', p_outcome.message
  );
$$;

revoke all on function app.outcome_json(bigint, text, app.outcome) from public;
grant execute on function app.outcome_json(bigint, text, app.outcome) to svc_api;
comment on function app.outcome_json(bigint, text, app.outcome) is
'The result row of one item of a batch, its index counted from 0.';
