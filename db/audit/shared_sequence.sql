-- Numbers from one sequence tell a tenant how much the others do. Ids are uuids.
select
  format('%s.%I', tenant_relations.name, attname) as object,
  'numbers all tenants'' rows from one sequence' as detail
from audit.tenant_relations()
inner join pg_attribute on attrelid = tenant_relations.relation
left join pg_attrdef on adrelid = attrelid and adnum = attnum
where
  tenant_relations.kind in ('r', 'p')
  and (attidentity <> '' or pg_get_expr(adbin, adrelid) like 'nextval(%')
