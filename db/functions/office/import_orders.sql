-- Milestones of orders. updated_at moves for the rows that are created or changed and
-- for no others: partners list orders by it.
create or replace function office.import_orders(p_rows jsonb)
returns json
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_tenant_id uuid := office.lock_imports();
  v_summary json;
begin
  perform office.raise_import_faults(
    office.cell_faults('orders', p_rows)
    || office.repeat_faults((
      select jsonb_agg(jsonb_build_object(
        'line', given -> 'line',
        'column', 'order_number',
        'key', given -> 'order_number'
      ))
      from jsonb_array_elements(p_rows) as given
    ))
    || office.order_faults(p_rows)
  );

  with written as (
    insert into app.orders as known (
      tenant_id,
      order_number,
      status,
      channel,
      due_date,
      fee,
      loan_number,
      client_tracking_number,
      property_address,
      property_city,
      property_state,
      property_postal,
      property_county,
      engaging_client_id,
      lender_id
    )
    select
      v_tenant_id,
      given.order_number,
      given.status,
      given.channel,
      given.due_date,
      given.fee,
      given.loan_number,
      given.client_tracking_number,
      given.property_address,
      given.property_city,
      upper(given.property_state),
      given.property_postal,
      given.property_county,
      client.id,
      lender.id
    from jsonb_to_recordset(p_rows) as given (
      order_number text,
      status text,
      channel text,
      due_date date,
      fee numeric(12, 2),
      loan_number text,
      client_tracking_number text,
      property_address text,
      property_city text,
      property_state text,
      property_postal text,
      property_county text,
      engaging_client_external_reference text,
      lender_external_reference text
    )
    inner join app.organizations as client
      on client.tenant_id = v_tenant_id
      and client.external_reference = given.engaging_client_external_reference
    left join app.organizations as lender
      on lender.tenant_id = v_tenant_id
      and lender.external_reference = given.lender_external_reference
    on conflict (tenant_id, order_number) do update
    set
      status = excluded.status,
      channel = excluded.channel,
      due_date = excluded.due_date,
      fee = excluded.fee,
      loan_number = excluded.loan_number,
      client_tracking_number = excluded.client_tracking_number,
      property_address = excluded.property_address,
      property_city = excluded.property_city,
      property_state = excluded.property_state,
      property_postal = excluded.property_postal,
      property_county = excluded.property_county,
      engaging_client_id = excluded.engaging_client_id,
      lender_id = excluded.lender_id,
      updated_at = now()
    where
      (
        known.status, known.channel, known.due_date, known.fee, known.loan_number,
        known.client_tracking_number, known.property_address, known.property_city,
        known.property_state, known.property_postal, known.property_county,
        known.engaging_client_id, known.lender_id
      ) is distinct from (
        excluded.status, excluded.channel, excluded.due_date, excluded.fee, excluded.loan_number,
        excluded.client_tracking_number, excluded.property_address, excluded.property_city,
        excluded.property_state, excluded.property_postal, excluded.property_county,
        excluded.engaging_client_id, excluded.lender_id
      )
    returning old.id is null as is_created
  )

  select office.import_summary(
    p_rows,
    count(*) filter (where written.is_created),
    count(*) filter (where not written.is_created)
  )
  into v_summary
  from written;
  return v_summary;
end;
$$;

revoke all on function office.import_orders(jsonb) from public;
grant execute on function office.import_orders(jsonb) to svc_office;
comment on function office.import_orders(jsonb) is
'Creates and updates orders by number, all or none. Raises 422 with every fault by line.';
