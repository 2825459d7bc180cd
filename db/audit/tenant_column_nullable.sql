-- The tenant is never null: a row without one belongs to nobody, slips through unique keys
-- and composite foreign keys, and shows to everyone as soon as a policy says `or … is null`.
select
  tenant_relations.name as object,
  format('%s may be null', tenant_relations.tenant_column) as detail
from audit.tenant_relations()
inner join pg_attribute
  on attrelid = tenant_relations.relation and attname = tenant_relations.tenant_column
where tenant_relations.kind in ('r', 'p', 'f') and not attnotnull
