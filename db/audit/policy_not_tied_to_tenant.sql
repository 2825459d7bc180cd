-- Each permissive policy ties the row's tenant to one that its roles can't choose, in one
-- of the forms of audit.tenant_sources, alone or with more conditions joined by `and`.
-- What is not such a form is reported, whatever it means: `tenant_id = tenant_id`, an `or`,
-- another column, the bare setting, a source that these roles can set for themselves. Roles
-- that work across tenants are named in audit.entrusted.
select
  policies.name as object,
  format('%s is not tied to the tenant: %s', clause.name, clause.expression) as detail
from audit.policies()
inner join audit.tenant_relations() on policies.relation = tenant_relations.relation
cross join lateral (
  values ('using', policies.read_expression), ('with check', policies.write_expression)
) as clause (name, expression)
where
  policies.is_permissive
  and clause.expression <> 'true'
  and not audit.is_entrusted(policies.roles, policies.relation, policies.command)
  and not coalesce(
    audit.ties(clause.expression, tenant_relations.tenant_column, policies.roles), false
  )
