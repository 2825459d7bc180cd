-- For one table: a new row of the attacked tenant, which no row of the attacker's is like, and
-- how many the empty one has, whose credentials are rows, too. Where no row can be made, why.
create or replace function audit.rows_to_reach(
  p_relation oid,
  p_attacker uuid,
  p_attacked uuid,
  p_empty uuid
)
returns jsonb
language plpgsql
volatile
set search_path = ''
as $$
begin
  perform audit.require_row(p_relation, p_attacker);
  return jsonb_build_object(
    'row',
    case
      when p_relation = to_regclass('app.tenants') then audit.find_row(p_relation, p_attacked)
      else audit.make_row(p_relation, p_attacked)
    end,
    'spare',
    audit.count_rows(p_relation, p_empty)
  );
exception
  when others then
    return jsonb_build_object('problem', sqlerrm, 'spare', 0);
end;
$$;

revoke all on function audit.rows_to_reach(oid, uuid, uuid, uuid) from public;
comment on function audit.rows_to_reach(oid, uuid, uuid, uuid) is
'A row of a table to reach for, or why there is none.';
