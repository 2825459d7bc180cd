-- The scene with another row of the attacked tenant in each table, and with rows that attackers
-- try to insert.
create or replace function audit.add_drafts(p_scene jsonb)
returns jsonb
language sql
volatile
set search_path = ''
as $$
  select p_scene || jsonb_build_object(
    'tables',
    jsonb_object_agg(
      tables.key,
      tables.value || case
        when tables.value ? 'problem' then '{}'::jsonb
        else audit.drafts(
          tables.key::oid,
          (p_scene ->> 'attacker')::uuid,
          (p_scene ->> 'attacked')::uuid
        )
      end
    )
  )
  from jsonb_each(p_scene -> 'tables') as tables;
$$;

revoke all on function audit.add_drafts(jsonb) from public;
comment on function audit.add_drafts(jsonb) is
'Adds more rows of the attacked tenant, and rows that attackers try to insert.';
