-- The record of an upsert says what was done, a read's doesn't. The text is joined
-- because json, unlike jsonb, keeps its members in the order in which they are written.
create or replace function app.with_action(p_record json, p_action text)
returns json
language sql
immutable
parallel safe
set search_path = ''
as $$
  select (left(p_record::text, -1) || ', "action" : ' || to_json(p_action) || '}')::json;
$$;

revoke all on function app.with_action(json, text) from public;
grant execute on function app.with_action(json, text) to svc_api;
comment on function app.with_action(json, text) is 'A record with the action that made it so.';
