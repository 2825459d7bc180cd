-- A rule rewrites statements and runs with its owner's rights, past the policies that the
-- caller is under. Tenants' tables have none.
select
  format('%s: %s', audit.relation_name(ev_class), rulename) as object,
  'a rule runs with the rights of the table''s owner' as detail
from pg_rewrite
inner join audit.tenant_relations() on ev_class = tenant_relations.relation
where rulename <> '_RETURN'
