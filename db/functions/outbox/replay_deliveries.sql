-- Asks for one more attempt of deliveries, outside their schedule. What is pending keeps
-- its place in it. A disabled endpoint gets nothing: enable it first.
create or replace function outbox.replay_deliveries(p_delivery_ids uuid[])
returns setof uuid
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_ids uuid[];
  v_endpoint_ids uuid[];
begin
  with replayed as (
    update outbox.deliveries
    set is_replay = true, next_attempt_at = now()
    from outbox.endpoints
    where
      deliveries.id = any(p_delivery_ids)
      and endpoints.id = deliveries.endpoint_id
      and endpoints.disabled_at is null
    returning deliveries.id, deliveries.endpoint_id
  )
  select array_agg(replayed.id), array_agg(distinct replayed.endpoint_id)
  into v_ids, v_endpoint_ids
  from replayed;

  perform outbox.wake_endpoint(endpoint.id, now())
  from unnest(v_endpoint_ids) as endpoint (id)
  order by endpoint.id;

  return query select unnest(v_ids);
end;
$$;

revoke all on function outbox.replay_deliveries(uuid[]) from public;
comment on function outbox.replay_deliveries(uuid[]) is
'Operator: sends deliveries once more, now; gives those of endpoints that are enabled.';
