-- Before tables: a table's migration says with one line that its changes are remembered.
-- The triggers are ENABLE ALWAYS, so that session_replication_role = replica doesn't
-- switch them off. To be run by the table's owner.
create or replace function audit.watch(
  p_table regclass,
  p_only text[] default null,
  p_except text[] default null
)
returns void
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_when constant text := case
    when p_only is null then 'insert or update or delete'
    else 'update of ' || array_to_string(p_only, ', ')
  end;
begin
  execute format(
    'create trigger _950_history after %s on %s
    for each row execute function audit.tg__record_change(%L, %L)',
    v_when,
    p_table,
    coalesce(p_only::text, ''),
    coalesce(p_except::text, '')
  );
  execute format(
    'create trigger _950_history_truncate after truncate on %s
    for each statement execute function audit.tg__record_change()',
    p_table
  );
  execute format('alter table %s enable always trigger _950_history', p_table);
  execute format('alter table %s enable always trigger _950_history_truncate', p_table);
end;
$$;

revoke all on function audit.watch(regclass, text[], text[]) from public;
comment on function audit.watch(regclass, text[], text[]) is
'Has each change of a table recorded in audit.changes: all columns or only some, and not when only exempt ones changed.';
