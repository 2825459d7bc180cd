-- Constraints of tenants' tables hold for every row: one that is `not valid` says nothing of
-- the old rows, one that is `not enforced` nothing at all.
select
  format('%s: %s', audit.relation_name(conrelid), conname) as object,
  case when conenforced then 'was never validated' else 'is not enforced' end as detail
from pg_constraint
inner join audit.tenant_relations() on conrelid = tenant_relations.relation
where not (convalidated and conenforced)
