-- Writes attempts down and moves their deliveries on; many in one call commit once.
-- p_attempts: an array of {delivery_id, started_at, duration_ms, response_status,
-- response_body, error_class, error, retry_ms, is_replay, is_test}. No error_class is a
-- success; no retry_ms says that the schedule is at its end. Gives the endpoints that
-- were disabled by it, for the log.
-- A worker that has lost its claim still tells what it did: its success counts, and
-- what follows a failure is for the new owner of the claim to say.
create or replace function outbox.record_attempts(
  p_worker_id text,
  p_attempts jsonb,
  p_now timestamptz default now()
)
returns table (endpoint_id uuid, reason text)
language plpgsql
volatile
set search_path = ''
as $$
#variable_conflict use_column
declare
  v_succeeded uuid[];
  v_failed uuid[];
  v_gone uuid[];
  v_retried uuid[];
begin
  with attempt as (
    select *
    from jsonb_to_recordset(p_attempts) as attempt (
      delivery_id uuid,
      started_at timestamptz,
      duration_ms integer,
      response_status integer,
      response_body text,
      error_class text,
      error text,
      retry_ms float8,
      is_replay boolean,
      is_test boolean
    )
  ),
  moved as (
    update outbox.deliveries
    set
      status = case
        when attempt.error_class is null then 'delivered'
        when deliveries.claimed_by is distinct from p_worker_id then deliveries.status
        when deliveries.status = 'pending' and attempt.retry_ms is null then 'failed'
        when deliveries.status = 'skipped' and attempt.is_replay then 'failed'
        else deliveries.status
      end,
      next_attempt_at = case
        when attempt.error_class is null then null
        when deliveries.claimed_by is distinct from p_worker_id then deliveries.next_attempt_at
        when deliveries.status = 'pending'
        then p_now + attempt.retry_ms * interval '1 millisecond'
      end,
      completed_at = case
        when deliveries.status = 'pending' and attempt.error_class is not null
        and attempt.retry_ms is not null
        then null
        else p_now
      end,
      attempts = deliveries.attempts + 1,
      replays = deliveries.replays + attempt.is_replay::integer,
      is_replay = case
        when attempt.error_class is null then false
        else deliveries.is_replay and deliveries.claimed_by is distinct from p_worker_id
      end,
      claimed_by = case
        when attempt.error_class is null then null
        else nullif(deliveries.claimed_by, p_worker_id)
      end,
      response_status = attempt.response_status
    from attempt
    where deliveries.id = attempt.delivery_id
    returning
      deliveries.tenant_id,
      deliveries.endpoint_id,
      deliveries.attempts as number,
      deliveries.next_attempt_at,
      attempt.*
  ),
  written as (
    insert into outbox.attempts (
      tenant_id,
      delivery_id,
      number,
      started_at,
      duration_ms,
      response_status,
      response_body,
      error_class,
      error
    )
    select
      moved.tenant_id,
      moved.delivery_id,
      moved.number,
      moved.started_at,
      moved.duration_ms,
      moved.response_status,
      moved.response_body,
      moved.error_class,
      moved.error
    from moved
  )
  select
    array_agg(distinct moved.endpoint_id)
    filter (where moved.error_class is null and not moved.is_replay and not moved.is_test),
    array_agg(distinct moved.endpoint_id)
    filter (where moved.error_class is not null and not moved.is_replay and not moved.is_test),
    array_agg(distinct moved.endpoint_id) filter (where moved.response_status = 410),
    array_agg(distinct moved.endpoint_id) filter (where moved.next_attempt_at is not null)
  into v_succeeded, v_failed, v_gone, v_retried
  from moved;

  perform outbox.note_streaks(v_succeeded, v_failed, p_now);
  perform outbox.disable_endpoint(gone.id, 'gone', p_now)
  from unnest(v_gone) as gone (id)
  order by gone.id;
  perform outbox.wake_when_due(v_retried, p_now);

  return query
  select endpoints.id, endpoints.disabled_reason
  from outbox.endpoints
  where endpoints.id = any(v_failed || v_gone) and endpoints.disabled_at = p_now;
end;
$$;

revoke all on function outbox.record_attempts(text, jsonb, timestamptz) from public;
grant execute on function outbox.record_attempts(text, jsonb, timestamptz) to svc_worker;
comment on function outbox.record_attempts(text, jsonb, timestamptz) is
'Records attempts, moves their deliveries on, and disables endpoints that are gone or only fail.';
