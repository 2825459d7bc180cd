-- Keeps since when an endpoint does nothing but fail. Five days of it disable the
-- endpoint: the schedule of one event ends after three, so by then several were lost.
create or replace function outbox.note_streaks(
  p_succeeded uuid[],
  p_failed uuid[],
  p_now timestamptz default now()
)
returns void
language plpgsql
volatile
set search_path = ''
as $$
begin
  update outbox.endpoints
  set failing_since = null
  where endpoints.id = any(p_succeeded) and endpoints.failing_since is not null;

  if p_failed is null then
    return;
  end if;

  update outbox.endpoints
  set failing_since = p_now
  where
    endpoints.id = any(p_failed)
    and endpoints.id <> all(coalesce(p_succeeded, '{}'))
    and endpoints.failing_since is null;

  perform outbox.disable_endpoint(endpoints.id, 'failing', p_now)
  from outbox.endpoints
  where
    endpoints.id = any(p_failed)
    and endpoints.failing_since <= p_now - interval '5 days'
    and endpoints.disabled_at is null;
end;
$$;

revoke all on function outbox.note_streaks(uuid[], uuid[], timestamptz) from public;
grant execute on function outbox.note_streaks(uuid[], uuid[], timestamptz) to svc_worker;
comment on function outbox.note_streaks(uuid[], uuid[], timestamptz) is
'Starts or ends the failure streaks of endpoints, and disables those that failed for five days.';
