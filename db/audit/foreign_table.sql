-- A foreign table has no row-level security, and the other server sees one login for all.
select
  tenant_relations.name as object,
  'holds tenants'' rows on another server, without row-level security' as detail
from audit.tenant_relations()
where tenant_relations.kind = 'f'
