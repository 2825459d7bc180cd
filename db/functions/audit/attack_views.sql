-- A view must look the same to a tenant without rows, whatever rows the others have; where it
-- names the tenant, the attacker sees its own alone. A materialized view that holds none of
-- the attacked tenant's rows yet proves nothing.
create or replace function audit.attack_views(
  p_persona audit.persona,
  p_scene jsonb,
  p_seen_before jsonb
)
returns setof audit.attempt
language sql
volatile
set search_path = ''
as $$
  select
    audit.persona_name(p_persona),
    tenant_relations.name,
    'select',
    verdict.outcome,
    case
      when verdict.outcome = 'untested' then 'holds no row of another tenant yet'
      when tried.touched > 0 then 'shows rows of another tenant'
      when verdict.outcome = 'LEAK' then 'changes with another tenant''s rows'
      else coalesce(tried.message, 'no row in reach')
    end
  from audit.tenant_relations()
  cross join lateral audit.try_as(
    p_persona,
    audit.proof_settings((p_scene ->> 'attacker')::uuid),
    format(
      'select 1 from %s where %s limit 1',
      tenant_relations.name,
      case
        when tenant_relations.tenant_column is null then 'false'
        else format(
          '%I is distinct from %L', tenant_relations.tenant_column, p_scene ->> 'attacker'
        )
      end
    )
  ) as tried
  cross join lateral (
    select
      audit.see_view(p_persona, tenant_relations.relation, p_scene),
      p_seen_before ->> (audit.persona_name(p_persona) || ' ' || tenant_relations.name)
  ) as seen (now, before)
  cross join lateral (
    select case
      when tried.touched > 0 or seen.now is distinct from seen.before then 'LEAK'
      when tenant_relations.kind = 'm' and seen.now is not null then 'untested'
      else 'refused'
    end
  ) as verdict (outcome)
  where tenant_relations.kind in ('v', 'm');
$$;

revoke all on function audit.attack_views(audit.persona, jsonb, jsonb) from public;
comment on function audit.attack_views(audit.persona, jsonb, jsonb) is
'Tries to see another tenant''s rows through views.';
