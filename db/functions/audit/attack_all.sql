-- Every attacker against everything that holds tenants' rows. Views are looked at twice, with
-- more rows of the attacked tenant the second time, which come with the drafts.
create or replace function audit.attack_all(p_scene jsonb)
returns setof audit.attempt
language plpgsql
volatile
set search_path = ''
as $$
declare
  v_seen constant jsonb := audit.see_views(p_scene);
  v_scene constant jsonb := audit.add_witness(audit.add_drafts(p_scene));
begin
  return query
  select attempts.*
  from audit.personas()
  cross join jsonb_object_keys(v_scene -> 'tables') as relation
  cross join lateral audit.attack_table(personas, relation::oid, v_scene) as attempts;

  return query
  select attempts.*
  from audit.personas()
  cross join lateral audit.attack_views(personas, v_scene, v_seen) as attempts;

  return query
  select attempts.*
  from audit.personas()
  cross join lateral audit.attack_functions(personas, v_scene) as attempts;

  return query
  select attempts.*
  from audit.personas()
  cross join lateral audit.attack_roles(personas.login) as attempts
  where personas.login = personas.role;
end;
$$;

revoke all on function audit.attack_all(jsonb) from public;
comment on function audit.attack_all(jsonb) is 'All attacks of all attackers, one row each.';
