-- The answer to a batch: a row for each item, its index counted from 0. The reference is
-- the caller's, to know its row again.
create or replace function app.batch_json(p_items jsonb[], p_outcomes app.outcome[])
returns json
language sql
immutable
parallel safe
set search_path = ''
as $$
  select json_build_object('results', json_agg(
    json_build_object(
      'index', item.position - 1,
      'external_reference', item.body ->> 'external_reference',
      'action', item.action,
      'id', item.id,
      'error_code', item.error_code,
      'message', item.message
    )
    order by item.position
  ))
  from unnest(p_items, p_outcomes) with ordinality
    as item (body, action, id, error_code, message, detail, position);
$$;

revoke all on function app.batch_json(jsonb[], app.outcome[]) from public;
grant execute on function app.batch_json(jsonb[], app.outcome[]) to svc_api;
comment on function app.batch_json(jsonb[], app.outcome[]) is
'The results of a batch, an outcome for each item as sent.';
