-- Writes one row of history per row that changed: who, when, from what to what. What a
-- column of secrets or bytes held is left out; that it changed is told.
-- Arguments of the trigger: the columns to record ('' for all), and those whose change
-- alone isn't worth a row. Attached by audit.watch.
-- Security definer: whoever changes a watched row can't write history in any other way.
create or replace function audit.tg__record_change()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_all_columns constant text[] := array(
    select attname from pg_attribute where attrelid = tg_relid and attnum > 0 and not attisdropped
  );
  v_only text[] := coalesce(nullif(tg_argv[0], '')::text[], v_all_columns);
  v_except text[] := coalesce(nullif(tg_argv[1], '')::text[], '{}');
  v_old jsonb := case when tg_op in ('UPDATE', 'DELETE') then to_jsonb(old) end;
  v_new jsonb := case when tg_op in ('INSERT', 'UPDATE') then to_jsonb(new) end;
  v_changed text[] := array(
    select new_row.key
    from jsonb_each(v_new) as new_row
    inner join jsonb_each(v_old) as old_row on new_row.key = old_row.key
    where new_row.value is distinct from old_row.value and new_row.key = any(v_only)
    order by new_row.key
  );
begin
  if tg_op = 'UPDATE' and v_changed <@ v_except then
    return null;
  end if;

  insert into audit.changes (
    tenant_id,
    table_name,
    row_id,
    operation,
    changed_columns,
    old_row,
    new_row
  )
  values (
    audit.tenant_of_row(tg_relid, coalesce(v_new, v_old)),
    tg_relid::regclass::text,
    audit.key_of_row(tg_relid, coalesce(v_new, v_old)),
    lower(tg_op),
    case when tg_op = 'UPDATE' then v_changed end,
    audit.without_secrets(tg_relid, v_old, v_only),
    audit.without_secrets(tg_relid, v_new, v_only)
  );
  return null;
end;
$$;

alter function audit.tg__record_change() owner to svc_audit;
revoke all on function audit.tg__record_change() from public;
grant execute on function audit.tg__record_change() to svc_owner;
comment on function audit.tg__record_change() is
'Trigger: one row of audit.changes per changed row, without secrets.';
