-- A policy that is constantly true opens every tenant's rows to its roles, for reading
-- (`using`) or for writing (`with check`). Allowed only where audit.entrusted names role,
-- table and command. Repair: compare the tenant, as every other policy does.
select
  policies.name as object,
  format(
    'always true for %s (%s)',
    (select string_agg(audit.role_name(role), ', ') from unnest(policies.roles) as role),
    concat_ws(
      ' and ',
      case when policies.read_expression = 'true' then 'using' end,
      case when policies.write_expression = 'true' then 'with check' end
    )
  ) as detail
from audit.policies()
inner join audit.tenant_relations() on policies.relation = tenant_relations.relation
where
  policies.is_permissive
  and 'true' in (policies.read_expression, policies.write_expression)
  and not audit.is_entrusted(policies.roles, policies.relation, policies.command)
