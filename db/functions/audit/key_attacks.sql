-- Attacks by way of keys, as the attacker inserts a row of its own: one that refers to the
-- attacked tenant's row, by each foreign key, and one that repeats its values, by each unique
-- key: "already taken" would tell that they exist.
create or replace function audit.key_attacks(
  p_persona audit.persona,
  p_relation oid,
  p_scene jsonb
)
returns table (command text, statement text)
language sql
stable
set search_path = ''
as $$
  with scene as (
    select
      tables.scene -> 'own_draft' as draft,
      tables.scene -> 'row' as row,
      tables.scene ->> 'column' as tenant_column
    from (select p_scene #> array['tables', p_relation::text]) as tables (scene)
  ),
  attack (command, stolen) as (
    select
      'refer to',
      audit.foreign_key_values(
        conkey,
        p_relation,
        confkey,
        confrelid,
        p_scene #> array['tables', confrelid::text, 'row']
      )
    from pg_constraint
    where
      contype = 'f'
      and conrelid = p_relation
      and p_scene -> 'tables' ? confrelid::text
      and confrelid is distinct from to_regclass('app.tenants')

    union all

    select
      'find out by a unique key',
      (
        select jsonb_object_agg(attname, scene.row -> attname::text)
        from audit.insertable_columns(p_relation)
        where attnum = any(indkey::int2[]) and scene.row -> attname::text <> 'null'
      )
    from pg_index
    cross join scene
    where indrelid = p_relation and indisunique
  )
  select
    attack.command,
    audit.insert_statement(
      p_relation,
      scene.draft || (attack.stolen - scene.tenant_column),
      p_persona.role
    )
  from attack
  cross join scene
  where attack.stolen - scene.tenant_column <> '{}';
$$;

revoke all on function audit.key_attacks(audit.persona, oid, jsonb) from public;
comment on function audit.key_attacks(audit.persona, oid, jsonb) is
'Inserts of the attacker''s own rows that use another tenant''s keys.';
