-- All attacks of one attacker on one table, one row each: the worst outcome of its variants.
create or replace function audit.attack_table(
  p_persona audit.persona,
  p_relation oid,
  p_scene jsonb
)
returns setof audit.attempt
language sql
volatile
set search_path = ''
as $$
  select distinct on (attack.command)
    audit.persona_name(p_persona),
    p_relation::regclass::text,
    attack.command,
    verdict.outcome,
    case verdict.outcome
      when 'by design' then trust.reason
      when 'untested' then coalesce(scene.problem, tried.message, 'no row to reach for')
      when 'LEAK' then coalesce(tried.message || ': ', 'done: ') || attack.statement
      else coalesce(tried.message, 'no row in reach')
    end
  from audit.table_attacks(p_persona, p_relation, p_scene) as attack
  cross join lateral (
    select p_scene #>> array['tables', p_relation::text, 'problem']
  ) as scene (problem)
  cross join lateral audit.try_as(
    p_persona,
    attack.settings,
    coalesce(attack.statement, format('insert into %s default values', p_relation::regclass))
  ) as tried
  left join lateral (
    select entrusted.reason
    from audit.entrusted()
    where
      p_persona.login = p_persona.role
      and entrusted.role = p_persona.role
      and entrusted.relation = p_relation::regclass::text
      and split_part(attack.command, ' ', 1) = any(entrusted.commands)
  ) as trust on true
  cross join lateral audit.judge(
    attack.command,
    tried.state,
    tried.touched > attack.spare,
    scene.problem is null,
    trust.reason is not null
  ) as verdict (outcome)
  order by
    attack.command,
    array_position('{LEAK,untested,by design,refused}', verdict.outcome);
$$;

revoke all on function audit.attack_table(audit.persona, oid, jsonb) from public;
comment on function audit.attack_table(audit.persona, oid, jsonb) is
'Tries every attack on a table with one login''s rights.';
