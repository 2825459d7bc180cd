-- A fault of an imported file as the operator sees it; line 1 is the header.
create or replace function office.import_fault(
  p_line integer,
  p_column text,
  p_type text,
  p_message text
)
returns jsonb
language sql
immutable
parallel safe
set search_path = ''
as $$
  select jsonb_build_object(
    'line', p_line,
    'column', p_column,
    'type', p_type,
    'msg', p_message
  );
$$;

revoke all on function office.import_fault(integer, text, text, text) from public;
grant execute on function office.import_fault(integer, text, text, text) to svc_office;
comment on function office.import_fault(integer, text, text, text) is
'One fault: line, column, type and words.';
