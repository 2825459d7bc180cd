-- A policy names its roles. One for `public` also holds for a role that is added next year.
select
  policies.name as object,
  'for public, future roles included' as detail
from audit.policies()
inner join audit.tenant_relations() on policies.relation = tenant_relations.relation
where 0 = any(policies.roles)
