-- What is still to do, for the operator's graphs. Security definer, owned by svc_worker:
-- the server's process shows it, and its login can't read the queue itself.
create or replace function outbox.queue_metrics()
returns table (
  deliveries_due integer,
  deliveries_scheduled integer,
  batches_waiting integer,
  oldest_undelivered_seconds float8,
  endpoints_enabled integer,
  endpoints_failing integer,
  endpoints_disabled integer
)
language sql
stable
security definer
set search_path = ''
as $$
  with delivery as (
    select
      count(*) filter (where deliveries.next_attempt_at <= now()) as due,
      count(*) filter (where deliveries.next_attempt_at > now()) as scheduled,
      min(deliveries.created_at) filter (where deliveries.status = 'pending') as oldest
    from outbox.deliveries
    where deliveries.next_attempt_at is not null
  ),
  batch as (
    select count(*) as waiting, min(jobs.created_at) as oldest
    from graphile_worker.jobs
    where jobs.task_identifier = 'event__fan_out'
  ),
  endpoint as (
    select
      count(*) filter (where endpoints.disabled_at is null) as enabled,
      count(*) filter (
        where endpoints.disabled_at is null and endpoints.failing_since is not null
      ) as failing,
      count(*) filter (where endpoints.disabled_at is not null) as disabled
    from outbox.endpoints
  )
  select
    delivery.due::integer,
    delivery.scheduled::integer,
    batch.waiting::integer,
    coalesce(extract(epoch from now() - least(delivery.oldest, batch.oldest)), 0)::float8,
    endpoint.enabled::integer,
    endpoint.failing::integer,
    endpoint.disabled::integer
  from delivery, batch, endpoint;
$$;

alter function outbox.queue_metrics() owner to svc_worker;
revoke all on function outbox.queue_metrics() from public;
grant execute on function outbox.queue_metrics() to svc_worker, svc_api;
comment on function outbox.queue_metrics() is
'Depth and age of the webhook queue, and how many endpoints are well.';
