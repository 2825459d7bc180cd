-- Every table, partition and child table that holds tenants' rows has row-level security
-- enabled. Partitions and inheritance children have a switch of their own, and so has a
-- partitioned parent. Repair: `alter table … enable row level security`.
select
  tenant_relations.name as object,
  'row-level security is not enabled' as detail
from audit.tenant_relations()
inner join pg_class on tenant_relations.relation = pg_class.oid
where tenant_relations.kind in ('r', 'p') and not relrowsecurity
