-- Row-level security is forced, so that it binds the table's owner and the definer
-- functions that the owner has, too. Repair: `alter table … force row level security`.
select
  tenant_relations.name as object,
  'row-level security does not bind the owner' as detail
from audit.tenant_relations()
inner join pg_class on tenant_relations.relation = pg_class.oid
where tenant_relations.kind in ('r', 'p') and not relforcerowsecurity
