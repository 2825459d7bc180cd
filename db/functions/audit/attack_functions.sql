-- Calls every function that takes ids, or nothing, with each id of the attacked tenant's rows,
-- the attacker's key in force and every other setting forged.
-- What it answers must hold nothing else of that tenant, and its rows must stay as they were.
-- A role that works across tenants may do so in functions with its own rights, too.
create or replace function audit.attack_functions(p_persona audit.persona, p_scene jsonb)
returns setof audit.attempt
language sql
volatile
set search_path = ''
as $$
  with call as materialized (
    select
      callable.function,
      id.value as id,
      not callable.is_definer
      and p_persona.login = p_persona.role
      and p_persona.role in (select entrusted.role from audit.entrusted()) as is_trusted,
      format(
        'select string_agg(answer::text, '' '') from %s(%s) as answer',
        callable.function::regproc,
        array_to_string(array_fill(quote_literal(id.value), array[callable.ids]), ', ')
      ) as statement
    from audit.callable_functions(p_persona.role) as callable
    inner join audit.marks(p_scene) as id (value)
      on
        pg_input_is_valid(id.value, 'uuid')
        and (callable.ids > 0 or id.value = p_scene ->> 'attacked')
  ),
  finding as (
    select call.function, call.is_trusted, call.statement || ' gives ' || mark.value as text
    from call
    cross join lateral audit.try_as(
      p_persona,
      audit.proof_settings((p_scene ->> 'attacker')::uuid) || (
        select coalesce(jsonb_object_agg(setting, p_scene -> 'attacked'), '{}')
        from audit.forgeable_settings(p_persona.role, p_scene) as setting
        where setting not in ('svc.key_digest', 'svc.analyst_digest')
      ),
      call.statement,
      p_scene ->> 'witness'
    ) as tried
    left join lateral (
      select marks.value
      from audit.marks(p_scene) as marks (value)
      where marks.value <> call.id and strpos(tried.value, marks.value) > 0

      union all

      select 'what changes their rows'
      where tried.state = '00000' and tried.witnessed is distinct from p_scene ->> 'witnessed'
    ) as mark on true
  )
  select
    audit.persona_name(p_persona),
    finding.function::text,
    'call',
    case
      when count(finding.text) = 0 then 'refused'
      when bool_and(finding.is_trusted) then 'by design'
      else 'LEAK'
    end,
    case
      when count(finding.text) = 0 then 'nothing of another tenant'
      when bool_and(finding.is_trusted) then 'works across tenants with its own rights'
      else min(finding.text)
    end
  from finding
  group by finding.function;
$$;

revoke all on function audit.attack_functions(audit.persona, jsonb) from public;
comment on function audit.attack_functions(audit.persona, jsonb) is
'Calls functions with another tenant''s ids.';
