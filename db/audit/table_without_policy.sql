-- A table with row-level security and no policy shows nothing to anybody: safe, but either
-- useless or on its way to be opened in a hurry. Partitions and children are right to have
-- none: their parent's policies count, and nobody is to go around it.
select
  tenant_relations.name as object,
  'no policy says who may see which rows' as detail
from audit.tenant_relations()
where
  tenant_relations.kind in ('r', 'p')
  and not tenant_relations.is_part
  and not exists (select from pg_policy where polrelid = tenant_relations.relation)
