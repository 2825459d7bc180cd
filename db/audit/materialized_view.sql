-- A materialized view is a copy without row-level security, which can't be switched on.
select
  tenant_relations.name as object,
  'is a copy of tenants'' rows without row-level security' as detail
from audit.tenant_relations()
where tenant_relations.kind = 'm'
