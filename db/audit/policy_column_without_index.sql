-- The column that policies compare leads an index, else each statement of a tenant reads
-- every tenant's rows. It also keeps one tenant's load from being felt by another.
select
  tenant_relations.name as object,
  format('no index begins with %s, which a policy compares', tenant_relations.tenant_column)
    as detail
from audit.tenant_relations()
where
  tenant_relations.kind in ('r', 'p')
  and exists (
    select
    from audit.policies()
    where
      policies.relation = tenant_relations.relation
      and audit.ties(
        coalesce(policies.read_expression, policies.write_expression),
        tenant_relations.tenant_column,
        policies.roles
      )
      and policies.command <> 'a'
      and policies.read_expression like '%' || tenant_relations.tenant_column || ' = %'
  )
  and not exists (
    select
    from pg_index
    inner join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where
      indrelid = tenant_relations.relation
      and attname = tenant_relations.tenant_column
      and indpred is null
      and indisvalid
  )
