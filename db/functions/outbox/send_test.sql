-- An event of no record for one endpoint, to see whether it arrives: one attempt, which
-- counts for no streak.
create or replace function outbox.send_test(p_endpoint_id uuid)
returns uuid
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_endpoint outbox.endpoints;
  v_event_id uuid := uuidv7();
  v_delivery_id uuid;
begin
  select *
  into v_endpoint
  from outbox.endpoints
  where endpoints.id = p_endpoint_id;

  insert into outbox.events (id, tenant_id, batch_id, type, data)
  values (
    v_event_id,
    v_endpoint.tenant_id,
    uuidv7(),
    'webhook.test',
    jsonb_build_object('id', v_endpoint.id, 'action', 'test')
  );

  insert into outbox.deliveries (tenant_id, event_id, endpoint_id, next_attempt_at)
  values (v_endpoint.tenant_id, v_event_id, v_endpoint.id, now())
  returning id into v_delivery_id;

  if v_endpoint.disabled_at is null then
    perform outbox.wake_endpoint(v_endpoint.id, now());
  else
    perform outbox.skip_deliveries(v_endpoint.id);
  end if;

  return v_delivery_id;
end;
$$;

revoke all on function outbox.send_test(uuid) from public;
comment on function outbox.send_test(uuid) is
'Operator: a delivery of webhook.test to an endpoint; gives its id.';
