-- What the proof needs, to be rolled back by its caller: the attacker's tenant, the one
-- attacked and one that holds nothing but its credentials, as the first two do; and a row of
-- the attacked one in every table to reach for. A tenant that is null is made.
create or replace function audit.set_scene(p_attacker uuid, p_attacked uuid)
returns jsonb
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_attacker constant uuid := coalesce(p_attacker, audit.make_tenant());
  v_attacked constant uuid := coalesce(p_attacked, audit.make_tenant());
  v_empty constant uuid := audit.make_tenant();
begin
  perform audit.make_credentials(tenant)
  from unnest(array[v_attacker, v_attacked, v_empty]) as tenant;

  return jsonb_build_object(
    'attacker', v_attacker,
    'attacked', v_attacked,
    'empty', v_empty,
    'settings', (select jsonb_agg(setting) from audit.settings_read() as setting),
    'tables', (
      select jsonb_object_agg(
        tenant_relations.relation,
        jsonb_build_object('column', tenant_relations.tenant_column)
        || audit.rows_to_reach(tenant_relations.relation, v_attacker, v_attacked, v_empty)
      )
      from audit.tenant_relations()
      where tenant_relations.kind in ('r', 'p', 'f')
    )
  );
end;
$$;

revoke all on function audit.set_scene(uuid, uuid) from public;
comment on function audit.set_scene(uuid, uuid) is
'Makes the tenants, credentials and rows that the proof attacks with and reaches for.';
