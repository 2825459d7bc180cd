-- Writes events in the transaction of their change, and one job for the whole
-- transaction: each job is a notify, which serialises commits, so a batch of a
-- hundred rows adds one. Security definer: svc_api writes events through here only.
create or replace function outbox.emit(p_type text, p_data jsonb[])
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_tenant_id uuid := auth.tenant_id();
  v_batch_id uuid := nullif(current_setting('svc.outbox_batch', true), '')::uuid;
begin
  if p_data = '{}' then
    return;
  end if;

  if v_batch_id is null then
    v_batch_id := uuidv7();
    perform set_config('svc.outbox_batch', v_batch_id::text, true);
    if exists (select from outbox.endpoints where endpoints.tenant_id = v_tenant_id) then
      perform outbox.add_fan_out_job(v_batch_id);
    end if;
  end if;

  insert into outbox.events (tenant_id, batch_id, type, data, traceparent)
  select
    v_tenant_id,
    v_batch_id,
    p_type,
    event.data,
    nullif(current_setting('svc.traceparent', true), '')
  from unnest(p_data) as event (data);
end;
$$;

alter function outbox.emit(text, jsonb[]) owner to svc_outbox;
revoke all on function outbox.emit(text, jsonb[]) from public;
grant execute on function outbox.emit(text, jsonb[]) to svc_api;
comment on function outbox.emit(text, jsonb[]) is
'Adds events of the key''s tenant to the outbox, one for each data; their delivery starts after the commit.';
