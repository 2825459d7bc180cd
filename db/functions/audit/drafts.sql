-- For one table: another row of the attacked tenant, and then a new row of each tenant that the
-- table would take from the administrator: an attack with it can fail for no other reason
-- than who makes it. Where none can be made, why.
create or replace function audit.drafts(p_relation oid, p_attacker uuid, p_attacked uuid)
returns jsonb
language plpgsql
volatile
set search_path = ''
as $$
begin
  perform audit.make_row(p_relation, p_attacked);
  return jsonb_build_object(
    'own_draft', audit.draft_row(p_relation, p_attacker),
    'other_draft', audit.draft_row(p_relation, p_attacked)
  );
exception
  when others then
    return jsonb_build_object('problem', sqlerrm);
end;
$$;

revoke all on function audit.drafts(oid, uuid, uuid) from public;
comment on function audit.drafts(oid, uuid, uuid) is
'Rows of a table that attackers try to insert, or why there are none.';
