-- Stops the deliveries of an endpoint: by hand, or because it said so, or because it
-- has failed for too long. The first reason stays.
create or replace function outbox.disable_endpoint(
  p_endpoint_id uuid,
  p_reason text,
  p_now timestamptz default now()
)
returns void
language sql
volatile
set search_path = ''
as $$
  update outbox.endpoints
  set disabled_at = p_now, disabled_reason = p_reason
  where endpoints.id = p_endpoint_id and endpoints.disabled_at is null;

  select outbox.skip_deliveries(p_endpoint_id, p_now);
$$;

revoke all on function outbox.disable_endpoint(uuid, text, timestamptz) from public;
grant execute on function outbox.disable_endpoint(uuid, text, timestamptz) to svc_worker;
comment on function outbox.disable_endpoint(uuid, text, timestamptz) is
'Disables an endpoint with its reason, and skips what it had coming.';
