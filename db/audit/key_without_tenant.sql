-- Primary keys, unique keys and exclusion constraints hold the tenant. One that doesn't
-- tells a tenant what others have ("already taken"), and with `on conflict do nothing` loses
-- its write. The digest of an API key is the exception: it is what the tenant is found by,
-- and nobody but the administrator writes it.
select
  audit.relation_name(indexrelid) as object,
  format('unique on %s without its tenant', tenant_relations.name) as detail
from audit.tenant_relations()
inner join pg_index on indrelid = tenant_relations.relation
where
  (indisunique or indisexclusion)
  and tenant_relations.name <> 'app.tenants'
  and audit.relation_name(indexrelid) <> 'auth.api_keys_digest_key'
  and not exists (
    select
    from pg_attribute
    where
      attrelid = indrelid
      and attname = tenant_relations.tenant_column
      and attnum = any((indkey::int2[])[0:indnkeyatts - 1])
  )
