-- An outcome that refuses: the one way to build it, so that every error code of a core
-- can be found by this name.
create or replace function app.failure(
  p_error_code text,
  p_message text,
  p_detail json default null
)
returns app.outcome
language sql
immutable
parallel safe
set search_path = ''
as $$
  select row('error', null, p_error_code, p_message, p_detail)::app.outcome;
$$;

revoke all on function app.failure(text, text, json) from public;
grant execute on function app.failure(text, text, json) to svc_api;
comment on function app.failure(text, text, json) is
'The outcome of a row that a rule refuses: public code, message and faults.';
