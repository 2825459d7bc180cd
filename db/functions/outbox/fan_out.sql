-- Turns the events of some transactions into deliveries: one for each endpoint that
-- wanted them when they happened. Called again for a batch it adds nothing, so a job
-- that runs twice does no harm.
-- A call takes up to p_more further batches along. What the worker has room for, it
-- claims at once and gets: up to p_room for an endpoint, or its own number in p_rooms,
-- {"endpoint_id": number}.
-- For each endpoint with more there is a row that holds nothing else.
create or replace function outbox.fan_out(
  p_worker_id text,
  p_batch_ids uuid[],
  p_more integer default 0,
  p_room integer default 0,
  p_rooms jsonb default '{}',
  p_now timestamptz default now()
)
returns setof outbox.claim
language plpgsql
volatile
rows 50
set search_path = ''
as $$
declare
  -- In a statement of its own: the next one's snapshot holds the events of each job.
  v_batch_ids uuid[] := p_batch_ids || array(select outbox.take_fan_out_jobs(p_more));
  v_claimed uuid[];
  v_more_for uuid[];
begin
  with added as (
    insert into outbox.deliveries (
      tenant_id,
      event_id,
      endpoint_id,
      status,
      next_attempt_at,
      claimed_by,
      claimed_at,
      created_at,
      completed_at
    )
    select
      events.tenant_id,
      events.id,
      endpoints.id,
      case when endpoints.disabled_at is null then 'pending' else 'skipped' end,
      case when endpoints.disabled_at is null then p_now end,
      case
        when endpoints.disabled_at is null
        and row_number() over (partition by endpoints.id order by events.id)
        <= coalesce((p_rooms ->> endpoints.id::text)::integer, p_room)
        then p_worker_id
      end,
      now(),
      p_now,
      case when endpoints.disabled_at is null then null else p_now end
    from outbox.events
    join outbox.endpoints
      on endpoints.tenant_id = events.tenant_id
      and events.type = any(endpoints.event_types)
      and endpoints.created_at <= events.created_at
    where events.batch_id = any(v_batch_ids)
    on conflict (event_id, endpoint_id, tenant_id) do nothing
    returning id, endpoint_id, status, claimed_by
  )
  select
    array_agg(added.id) filter (where added.claimed_by is not null),
    array_agg(distinct added.endpoint_id)
    filter (where added.claimed_by is null and added.status = 'pending')
  into v_claimed, v_more_for
  from added;

  return query select * from outbox.claimed(v_claimed, p_now);
  return query
  select claim.*
  from unnest(v_more_for) as endpoint (id)
  cross join lateral jsonb_populate_record(
    null::outbox.claim,
    jsonb_build_object('endpoint_id', endpoint.id)
  ) as claim;
end;
$$;

revoke all on function outbox.fan_out(
  text, uuid[], integer, integer, jsonb, timestamptz
) from public;
grant execute on function outbox.fan_out(
  text, uuid[], integer, integer, jsonb, timestamptz
) to svc_worker;
comment on function outbox.fan_out(
  text, uuid[], integer, integer, jsonb, timestamptz
) is
'Adds the deliveries of batches of events, and gives those that the worker has claimed with it.';
