-- A view over tenants' rows runs with its caller's rights (`security_invoker`). By default it
-- runs with its owner's, who may see more.
select
  tenant_relations.name as object,
  format('shows what its owner %s may see: not security_invoker', relowner::regrole) as detail
from audit.tenant_relations()
inner join pg_class on tenant_relations.relation = pg_class.oid
where
  tenant_relations.kind = 'v'
  and not coalesce(
    (
      select option_value::boolean
      from pg_options_to_table(reloptions)
      where option_name = 'security_invoker'
    ),
    false
  )
