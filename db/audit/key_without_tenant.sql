-- Primary keys, unique keys and exclusion constraints hold the tenant. One that doesn't
-- tells a tenant what others have ("already taken"), and with `on conflict do nothing` loses
-- its write.
select
  audit.relation_name(indexrelid) as object,
  format('unique on %s without its tenant', tenant_relations.name) as detail
from audit.tenant_relations()
inner join pg_index on indrelid = tenant_relations.relation
where
  (indisunique or indisexclusion)
  and tenant_relations.name <> 'app.tenants'
  and not audit.is_exception('key_without_tenant', audit.relation_name(indexrelid))
  and not exists (
    select
    from pg_attribute
    where
      attrelid = indrelid
      and attname = tenant_relations.tenant_column
      and attnum = any((indkey::int2[])[0:indnkeyatts - 1])
  )
