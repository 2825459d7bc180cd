-- No trigger of a tenants' table is switched off. Foreign keys are triggers, too: with
-- `disable trigger all` a row of another tenant's can be referred to.
select
  format('%s: %s', audit.relation_name(tgrelid), tgname) as object,
  case tgenabled when 'D' then 'is disabled' else 'fires on replicas only' end as detail
from pg_trigger
inner join audit.tenant_relations() on tgrelid = tenant_relations.relation
where tgenabled in ('D', 'R')
