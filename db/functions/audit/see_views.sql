-- What each attacker sees of each view over tenants' rows, as digests by attacker and view.
create or replace function audit.see_views(p_scene jsonb)
returns jsonb
language sql
volatile
set search_path = ''
as $$
  select coalesce(
    jsonb_object_agg(
      audit.persona_name(personas) || ' ' || tenant_relations.name,
      audit.see_view(personas, tenant_relations.relation, p_scene)
    ),
    '{}'
  )
  from audit.personas()
  cross join audit.tenant_relations()
  where tenant_relations.kind in ('v', 'm');
$$;

revoke all on function audit.see_views(jsonb) from public;
comment on function audit.see_views(jsonb) is 'What each attacker sees of each view, as digests.';
