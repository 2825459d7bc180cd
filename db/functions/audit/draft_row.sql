-- A row that the table would take from the administrator, taken back at once: an attack with
-- it can fail for no other reason than who makes it.
create or replace function audit.draft_row(p_relation oid, p_tenant uuid)
returns jsonb
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_row jsonb;
begin
  begin
    v_row := audit.make_row(p_relation, p_tenant);
    raise exception using errcode = 'AU001', message = 'taken back';
  exception
    when sqlstate 'AU001' then
      return v_row;
  end;
end;
$$;

revoke all on function audit.draft_row(oid, uuid) from public;
comment on function audit.draft_row(oid, uuid) is
'A new row of a tenant that the table would accept; nothing is written.';
