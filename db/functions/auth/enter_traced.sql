-- Opens a request as auth.enter does, and keeps its place in the caller's trace until the
-- transaction ends: events take it along. It is checked where it is stored.
create or replace function auth.enter_traced(
  p_digest bytea,
  p_scope text,
  p_traceparent text
)
returns uuid
language plpgsql
volatile
set search_path = ''
as $$
begin
  perform set_config('svc.traceparent', coalesce(p_traceparent, ''), true);
  return auth.enter(p_digest, p_scope);
end;
$$;

revoke all on function auth.enter_traced(bytea, text, text) from public;
grant execute on function auth.enter_traced(bytea, text, text) to svc_api;
comment on function auth.enter_traced(bytea, text, text) is
'auth.enter, with the request''s W3C traceparent for the events of the transaction.';
