-- What is tried on one table: the name of the attack, the settings in force, the statement (null
-- where no row could be made), and how many rows it may touch that are the attacker's own.
-- An attacker without rows reaches for whatever there is, so that no right to read is needed
-- to write; who is trusted with every tenant's rows only for the attacked one's, as it would
-- reach them all and keep live work waiting.
create or replace function audit.table_attacks(
  p_persona audit.persona,
  p_relation oid,
  p_scene jsonb
)
returns table (command text, settings jsonb, statement text, spare integer)
language plpgsql
stable
set search_path = ''
as $$
declare
  v_table constant text := p_relation::regclass;
  v_scene constant jsonb := p_scene #> array['tables', p_relation::text];
  v_spare constant integer := v_scene ->> 'spare';
  v_attacker constant jsonb := audit.proof_settings((p_scene ->> 'attacker')::uuid);
  v_empty constant jsonb := audit.proof_settings((p_scene ->> 'empty')::uuid);
  v_nobody constant jsonb := audit.proof_settings(null);
  v_tenant constant text := quote_ident(v_scene ->> 'column');
  v_theirs constant text := format(' where %s = %L', v_tenant, p_scene ->> 'attacked');
  v_is_trusted constant boolean := exists (
    select
    from audit.entrusted()
    where entrusted.role = p_persona.role and entrusted.relation = v_table
  );
  v_any constant text := case when v_is_trusted then v_theirs else '' end;
  v_select constant text := 'select 1 from ' || v_table;
  v_delete constant text := 'delete from ' || v_table;
  v_update constant text := audit.update_statement(p_relation, v_scene -> 'row', p_persona.role);
  v_insert constant text :=
    audit.insert_statement(p_relation, v_scene -> 'other_draft', p_persona.role);
begin
  return query values
  ('select', v_nobody, v_select || ' limit 1', 0),
  ('select', v_empty, format('%s offset %s limit 1', v_select, v_spare), 0),
  (
    'select',
    v_attacker,
    format('%s where %s is distinct from %L limit 1', v_select, v_tenant, p_scene ->> 'attacker'),
    0
  ),
  ('update', v_nobody, v_update || v_any, 0),
  ('update', v_empty, v_update || v_any, v_spare),
  ('update', v_attacker, v_update || v_theirs, 0),
  ('delete', v_nobody, v_delete || v_any, 0),
  ('delete', v_empty, v_delete || v_any, v_spare),
  ('delete', v_attacker, v_delete || v_theirs, 0),
  ('insert', v_nobody, v_insert, 0),
  ('insert', v_attacker, v_insert, 0),
  (
    'give away',
    v_attacker,
    format('update %s set %s = %L', v_table, v_tenant, p_scene ->> 'attacked')
      || case
        when v_is_trusted then format(' where %s = %L', v_tenant, p_scene ->> 'attacker')
        else ''
      end,
    0
  ),
  ('truncate', v_attacker, 'truncate ' || v_table, 0),
  (
    'disable row security',
    v_attacker,
    format('alter table %s disable row level security', v_table),
    0
  );

  return query
  select 'reference', v_attacker, audit.reference_statement(p_relation), 0
  where audit.reference_statement(p_relation) is not null;

  return query
  select
    'select with forged settings',
    v_empty || jsonb_build_object(setting, p_scene -> 'attacked'),
    format('%s offset %s limit 1', v_select, v_spare),
    0
  from audit.forgeable_settings(p_persona.role, p_scene) as setting;

  return query
  select key_attacks.command, v_attacker, key_attacks.statement, 0
  from audit.key_attacks(p_persona, p_relation, p_scene);
end;
$$;

revoke all on function audit.table_attacks(audit.persona, oid, jsonb) from public;
comment on function audit.table_attacks(audit.persona, oid, jsonb) is
'The attacks on a table: command, settings, statement (null where no row could be made), rows of one''s own.';
