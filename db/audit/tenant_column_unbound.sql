-- The tenant of a row exists: a foreign key leads to app.tenants, straight or by way of a
-- parent's key that holds the tenant. Then deleting a tenant leaves nothing behind, and no
-- row waits for somebody who gets its id.
select
  tenant_relations.name as object,
  'no foreign key binds tenant_id to a tenant' as detail
from audit.tenant_relations()
where
  tenant_relations.kind in ('r', 'p')
  and tenant_relations.tenant_column = 'tenant_id'
  and not audit.is_exception('tenant_column_unbound', tenant_relations.name)
  and not exists (
    select
    from pg_constraint
    inner join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where
      contype = 'f'
      and conrelid = tenant_relations.relation
      and attname = 'tenant_id'
  )
